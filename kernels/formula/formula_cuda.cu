// Compiles formulas to kernels, and launches them.
#include "kernels/core/cuda_check.h"
#include "kernels/core/device.h"
#include "kernels/cut/cut_points.h"
#include "kernels/formula/column_arguments.h"
#include "kernels/formula/formula_cuda.h"
#include "kernels/formula/nvrtc.h"

#include <string>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr const char* kHead = R"(
struct Num {
    double v;
    __device__ explicit operator bool() const { return v != 0; }
};
#define BINARY(op) __device__ inline Num operator op(Num a, Num b) { return {a.v op b.v}; }
BINARY(+) BINARY(-) BINARY(*) BINARY(/)
#define COMPARE(op) __device__ inline Num operator op(Num a, Num b) { return {a.v op b.v ? 1.0 : 0.0}; }
COMPARE(<) COMPARE(<=) COMPARE(>) COMPARE(>=) COMPARE(==) COMPARE(!=)
__device__ inline Num operator&&(Num a, Num b) { return {a.v != 0 && b.v != 0 ? 1.0 : 0.0}; }
__device__ inline Num operator||(Num a, Num b) { return {a.v != 0 || b.v != 0 ? 1.0 : 0.0}; }
__device__ inline Num f_abs(Num a) { return {fabs(a.v)}; }
__device__ inline Num f_sqrt(Num a) { return {__dsqrt_rn(a.v)}; }
__device__ inline Num f_floor(Num a) { return {floor(a.v)}; }
__device__ inline Num f_ceil(Num a) { return {ceil(a.v)}; }
__device__ inline Num f_round(Num a) { return {round(a.v)}; }
__device__ inline Num f_isnan(Num a) { return {a.v != a.v ? 1.0 : 0.0}; }
__device__ inline Num f_sign(Num a) { return {a.v > 0 ? 1.0 : a.v < 0 ? -1.0 : a.v}; }
__device__ inline Num f_min(Num a, Num b) { return {b.v < a.v ? b.v : a.v}; }
__device__ inline Num f_max(Num a, Num b) { return {b.v > a.v ? b.v : a.v}; }
)";

constexpr const char* kValue = R"(
__device__ inline double valueAt(const ColumnArguments& a, unsigned long long i) {
    const double p[3] = {a.origin[0] + (double)a.positions[3 * i], a.origin[1] + (double)a.positions[3 * i + 1],
                         a.origin[2] + (double)a.positions[3 * i + 2]};
)";

constexpr const char* kTail = R"(
}
extern "C" __global__ void selectByFormula(ColumnArguments a, float away, unsigned int* words) {
    const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    bool chosen = false;
    if (i < a.count) {
        const float x = a.positions[3 * i], y = a.positions[3 * i + 1], z = a.positions[3 * i + 2];
        if (x - x == 0 && y - y == 0 && z - z == 0 && x != away) {
            const double v = valueAt(a, i);
            chosen = v != 0 && v == v;
        }
    }
    const unsigned int word = __ballot_sync(0xffffffffu, chosen);
    if (i < a.count && threadIdx.x % 32 == 0)
        words[i / 32] = word;
}
)";

std::string sourceOf(const std::string& expression, std::size_t columns) {
    std::string source = std::string(kHead) + kColumnsSource + kValue;
    for (std::size_t k = 0; k < columns; ++k) {
        const std::string number = std::to_string(k);
        source += "    const Num v" + number + "{read(a, " + number + ", i, p)};\n";
    }
    return source + "    return Num{" + expression + "}.v;" + kTail;
}

} // namespace

struct FormulaKernel::Code {
    cudaLibrary_t library = nullptr;
    cudaKernel_t select = nullptr;

    ~Code() {
        if (library)
            checkNoThrow(cudaLibraryUnload(library));
    }
};

FormulaKernel::FormulaKernel(const std::string& expression, std::size_t columns) {
    if (columns > kMaxFormulaColumns)
        throw KernelError("the formula uses too many variables for the device",
                          "Use fewer variables, or compute the formula on the CPU.");
    const DeviceInfo device = probeDevice();
    const std::vector<char> cubin = compiledForDevice(
        sourceOf(expression, columns), "sm_" + std::to_string(device.major) + std::to_string(device.minor));
    auto code = std::make_unique<Code>();
    check(cudaLibraryLoadData(&code->library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "cudaLibraryLoadData");
    check(cudaLibraryGetKernel(&code->select, code->library, "selectByFormula"), "cudaLibraryGetKernel");
    m_code = std::move(code);
}

FormulaKernel::~FormulaKernel() = default;

PointSet FormulaKernel::select(const FormulaPoints& points, std::span<const FormulaColumn> columns,
                               StreamView stream) const {
    const std::size_t count = points.positions.size();
    PointSet set{count, Buffer<std::uint32_t>::in(MemorySpace::device, PointSet::wordsOf(count), stream)};
    ColumnArguments arguments = argumentsOf(points, columns);
    float away = kCutAway;
    std::uint32_t* words = set.words.data();
    void* all[] = {&arguments, &away, &words};
    const std::size_t blocks = (count + kBlockSize - 1) / kBlockSize;
    if (blocks > 0x7fffffff)
        fail(cudaErrorInvalidConfiguration, "cudaLaunchKernel");
    if (count > 0)
        check(cudaLaunchKernel(reinterpret_cast<const void*>(m_code->select),
                               dim3(static_cast<unsigned>(blocks)), dim3(kBlockSize), all, 0,
                               ownStream(stream)),
              "cudaLaunchKernel");
    stream.synchronize();
    return set;
}

} // namespace scanloupe::cuda
