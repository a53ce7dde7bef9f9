// Compiles, loads and launches guarded modules.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"
#include "kernels/core/device.h"
#include "kernels/formula/guarded_module.cuh"
#include "kernels/formula/guarded_ptx.h"
#include "kernels/formula/nvrtc.h"

#include <deque>
#include <mutex>

namespace scanloupe::cuda {

namespace {

constexpr unsigned long long kMostNanoseconds = 2'000'000'000;

constexpr const char* kGuard = R"(
#line 1 "scanloupe.cu"
extern "C" {
__device__ unsigned long long scanloupe_deadline;
__device__ unsigned int scanloupe_fault;
__global__ void scanloupe_begin(unsigned long long nanoseconds) {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    scanloupe_deadline = now + nanoseconds;
    scanloupe_fault = 0;
}
__global__ void scanloupe_end(unsigned int* fault) { *fault = scanloupe_fault; }
}
)";

/// The PTX of modules that were compiled last: the same file is run again and again.
class CompiledModules {
public:
    std::string ptxOf(const std::string& source, const std::string& file, const std::string& architecture) {
        const std::string key = architecture + '\n' + source;
        {
            const std::scoped_lock lock(m_mutex);
            for (const Entry& entry : m_entries)
                if (entry.key == key)
                    return entry.ptx;
        }
        std::string ptx = guardedPtx(compiledToPtx(source, file, architecture), file);
        const std::scoped_lock lock(m_mutex);
        m_entries.push_front({key, ptx});
        if (m_entries.size() > kMost)
            m_entries.pop_back();
        return ptx;
    }

private:
    static constexpr std::size_t kMost = 16;
    struct Entry {
        std::string key, ptx;
    };
    std::mutex m_mutex;
    std::deque<Entry> m_entries;
};

} // namespace

GuardedModule::GuardedModule(const std::string& before, const std::string& source, const std::string& after,
                             const std::string& file) {
    static CompiledModules compiled;
    const DeviceInfo device = probeDevice();
    const std::string whole = before + "\n#line 1 \"" + file + "\"\n" + source + '\n' + kGuard + after;
    const std::string ptx =
        compiled.ptxOf(whole, file, "compute_" + std::to_string(device.major) + std::to_string(device.minor));
    const cudaError_t status =
        cudaLibraryLoadData(&m_library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (status == cudaErrorUnsupportedPtxVersion)
        throw KernelError("NVRTC is newer than the driver, which can't load what it has compiled",
                          "Install a newer driver, or the libnvrtc of the driver's CUDA version.");
    check(status, "cudaLibraryLoadData");
}

GuardedModule::~GuardedModule() {
    if (m_library)
        checkNoThrow(cudaLibraryUnload(m_library));
}

void GuardedModule::run(const char* kernel, std::size_t count, std::span<void* const> arguments,
                        StreamView stream) const {
    if (count == 0)
        return;
    const auto launchOf = [&](const char* name, std::size_t threads, void* const* all) {
        cudaKernel_t function = nullptr;
        check(cudaLibraryGetKernel(&function, m_library, name), "cudaLibraryGetKernel");
        const std::size_t block = threads == 1 ? 1 : kBlockSize, blocks = (threads + block - 1) / block;
        if (blocks > 0x7fffffff)
            fail(cudaErrorInvalidConfiguration, "cudaLaunchKernel");
        check(cudaLaunchKernel(reinterpret_cast<const void*>(function), dim3(static_cast<unsigned>(blocks)),
                               dim3(static_cast<unsigned>(block)), const_cast<void**>(all), 0,
                               ownStream(stream)),
              "cudaLaunchKernel");
    };
    auto noted = Buffer<std::uint32_t>::in(MemorySpace::device, 1, stream);
    unsigned long long nanoseconds = kMostNanoseconds;
    void* begin[] = {&nanoseconds};
    launchOf("scanloupe_begin", 1, begin);
    launchOf(kernel, count, arguments.data());
    std::uint32_t* to = noted.data();
    void* end[] = {&to};
    launchOf("scanloupe_end", 1, end);
    std::uint32_t fault = 0;
    detail::copyBytes(&fault, MemorySpace::host, noted.data(), MemorySpace::device, sizeof fault, stream);
    stream.synchronize();
    if (fault == 0)
        return;
    const std::string line = "line " + std::to_string(fault & 0xffffff) + ": ";
    if (GuardFault(fault >> 24) == GuardFault::memory)
        throw KernelError(line + "an array is read or written beyond its end", "Check the index there.");
    throw KernelError(line + "the loop was still at work after two seconds", "Let it end sooner.");
}

} // namespace scanloupe::cuda
