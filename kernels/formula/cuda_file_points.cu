// Generates the kernels around a user's function of points, and runs them.
#include "kernels/core/cuda_check.h"
#include "kernels/cut/cut_points.h"
#include "kernels/formula/column_arguments.h"
#include "kernels/formula/cuda_file_points.h"
#include "kernels/formula/cuda_function_source.h"
#include "kernels/formula/guarded_module.cuh"

namespace scanloupe::cuda {

namespace {

/// Returns the source of the kernel that calls the function for each point. @param fill statements that set
/// the members of `point` from the values of `a` at `i` and `p`
std::string kernelsOf(CudaFunction function, const std::string& fill) {
    const bool isColour = function == CudaFunction::colour;
    const std::string type = isColour ? "float3" : "float";
    return R"(extern "C" __global__ void scanloupe_run(unsigned long long first, ColumnArguments a, float away, float* out) {
    const unsigned long long i = first + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.count)
        return;
    const float x = a.positions[3 * i], y = a.positions[3 * i + 1], z = a.positions[3 * i + 2];
    if (!(x - x == 0 && y - y == 0 && z - z == 0 && x != away))
        return;
    const double p[3] = {a.origin[0] + (double)x, a.origin[1] + (double)y, a.origin[2] + (double)z};
    Point point;
)" + fill + "    const " +
           type + " result = scanloupe_function(point);\n" +
           (isColour ? "    out[3 * i] = result.x, out[3 * i + 1] = result.y, out[3 * i + 2] = result.z;\n"
                     : "    out[i] = result;\n") +
           "}\n";
}

} // namespace

Buffer<float> runOnPoints(const TrustedCudaFile& file, const FormulaPoints& points,
                          std::span<const std::string> names, std::span<const FormulaColumn> columns,
                          const std::stop_token& stop, StreamView stream) {
    if (columns.size() > kMaxFormulaColumns)
        throw KernelError("the file uses more than 32 attributes", "Use fewer attributes.");
    std::string members = "struct Point { double x, y, z, height";
    for (const std::string& name : names)
        members += ", " + name;
    std::string fill = "    point.x = p[0], point.y = p[1], point.z = p[2];\n"
                       "    point.height = a.up[0] * p[0] + a.up[1] * p[1] + a.up[2] * p[2];\n";
    for (std::size_t k = 0; k < names.size(); ++k)
        fill += "    point." + names[k] + " = read(a, " + std::to_string(k) + ", i, p);\n";
    const bool isColour = file->function == CudaFunction::colour;
    const GuardedModule functions({.types = members + "; };\n",
                                   .result = isColour ? "float3" : "float",
                                   .parameter = "Point",
                                   .function = isColour ? "colour" : "value",
                                   .kernels = kColumnsSource + kernelsOf(file->function, fill)},
                                  file, stop);
    const std::size_t channels = isColour ? 3 : 1;
    auto results = Buffer<float>::in(MemorySpace::device, points.positions.size() * channels, stream);
    if (!results.empty())
        check(cudaMemsetAsync(results.data(), 0xff, results.bytes(), ownStream(stream)), "cudaMemsetAsync");
    ColumnArguments arguments = argumentsOf(points, columns);
    float away = kCutAway;
    float* out = results.data();
    void* all[] = {&arguments, &away, &out};
    functions.run("scanloupe_run", points.positions.size(), all, stop, stream);
    return results;
}

} // namespace scanloupe::cuda
