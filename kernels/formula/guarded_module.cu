// Compiles, loads and launches guarded modules.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/cuda_check.h"
#include "kernels/core/device.h"
#include "kernels/formula/guarded_module.cuh"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace scanloupe::cuda {

namespace {

static_assert(kBlockSize == kGuardThreads);

// Durations of a launch: after a shorter one the next launch is larger, after a longer one it is smaller.
constexpr double kShortMs = 50, kLongMs = 200;
constexpr std::size_t kMaxWaves = 8; // each wave may take the maximum time of a thread, two seconds

/// Cache of the most recently compiled modules, since the same file is run repeatedly.
class CompiledModules {
public:
    GuardedPtx of(const ModuleSource& source, const std::string& code, const std::string& architecture,
                  const std::stop_token& stop) {
        std::vector<std::string> key{architecture,    source.types,   source.result, source.parameter,
                                     source.function, source.kernels, code};
        {
            const std::scoped_lock lock(m_mutex);
            for (const Entry& entry : m_entries)
                if (entry.key == key)
                    return entry.compiled;
        }
        GuardedPtx compiled = compileGuarded(source, code, architecture, stop);
        const std::scoped_lock lock(m_mutex);
        m_entries.push_front({std::move(key), compiled});
        if (m_entries.size() > kMaxEntries)
            m_entries.pop_back();
        return compiled;
    }

private:
    static constexpr std::size_t kMaxEntries = 16;
    struct Entry {
        std::vector<std::string> key;
        GuardedPtx compiled;
    };
    std::mutex m_mutex;
    std::deque<Entry> m_entries;
};

/// Returns the maximum number of threads that the device runs concurrently.
std::size_t residentThreads() {
    int device = 0, processors = 0, threads = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
          "cudaDeviceGetAttribute");
    const std::size_t all = std::size_t(processors) * std::size_t(threads);
    return std::max<std::size_t>(all / kBlockSize, 1) * kBlockSize;
}

/// Waits for a launch. After a stop request, sets the module's fault, so that threads which have not begun
/// end immediately; otherwise a launch whose threads take two seconds each would take minutes. @param noted
/// address of the module's fault, on the device
void finish(void* noted, const std::stop_token& stop, StreamView stream) {
    constexpr double kSpinMs = 2;               // time of polling without sleep; most launches take less
    static const std::uint32_t isStopped = ~0u; // static, since it is read when the copy runs
    std::optional<Stream> beside;               // stream for a copy that does not wait for the launch
    const WallTimer timer;
    for (;;) {
        const cudaError_t status = cudaStreamQuery(ownStream(stream));
        if (status == cudaSuccess)
            break;
        if (status != cudaErrorNotReady)
            check(status, "cudaStreamQuery");
        if (!beside && stop.stop_requested()) {
            beside.emplace();
            check(cudaMemcpyAsync(noted, &isStopped, sizeof isStopped, cudaMemcpyHostToDevice,
                                  ownStream(*beside)),
                  "cudaMemcpyAsync");
        }
        if (timer.elapsedMs() > kSpinMs)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        else
            std::this_thread::yield();
    }
    if (beside)
        StreamView(*beside).synchronize();
    if (stop.stop_requested())
        throw Cancelled();
}

[[noreturn]] void throwFault(std::uint32_t fault) {
    const std::string line = "line " + std::to_string(fault & 0xffffff) + ": ";
    switch (GuardFault(fault >> 24)) {
    case GuardFault::memory:
        throw KernelError(line + "an array is accessed out of bounds", "Check the index in this line.");
    case GuardFault::jump:
        throw KernelError(
            line + "a function ends without returning a value, or a switch has no case for a value",
            "Return a value on every path.");
    case GuardFault::none:
    case GuardFault::time:
        break;
    }
    throw KernelError(line + "the code ran longer than two seconds", "Reduce the number of iterations.");
}

} // namespace

GuardedModule::GuardedModule(const ModuleSource& source, const TrustedCudaFile& file,
                             const std::stop_token& stop) {
    static CompiledModules modules;
    const DeviceInfo device = probeDevice();
    GuardedPtx compiled = modules.of(
        source, file->source, "compute_" + std::to_string(device.major) + std::to_string(device.minor), stop);
    const cudaError_t status =
        cudaLibraryLoadData(&m_library, compiled.ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (status == cudaErrorUnsupportedPtxVersion)
        throw KernelError("NVRTC is newer than the driver, which cannot load its code",
                          "Install a newer driver, or the libnvrtc of the driver's CUDA version.");
    check(status, "cudaLibraryLoadData");
    m_names = std::move(compiled.names);
}

GuardedModule::~GuardedModule() {
    if (m_library)
        checkNoThrow(cudaLibraryUnload(m_library));
}

void GuardedModule::run(const char* kernel, std::size_t count, std::span<void* const> arguments,
                        const std::stop_token& stop, StreamView stream) const {
    cudaKernel_t function = nullptr;
    check(cudaLibraryGetKernel(&function, m_library, kernel), "cudaLibraryGetKernel");
    void* noted = nullptr;
    std::size_t bytes = 0;
    check(cudaLibraryGetGlobal(&noted, &bytes, m_library, m_names.fault.c_str()), "cudaLibraryGetGlobal");
    check(cudaMemsetAsync(noted, 0, sizeof(std::uint32_t), ownStream(stream)), "cudaMemsetAsync");
    unsigned long long first = 0;
    std::vector<void*> all{&first};
    all.insert(all.end(), arguments.begin(), arguments.end());
    // Runs several launches, since many elements may take long, and the user may stop the work between
    // launches.
    const std::size_t least = residentThreads();
    std::size_t threads = least;
    while (first < count) {
        const WallTimer timer;
        const std::size_t blocks =
            (std::min<std::size_t>(threads, count - first) + kBlockSize - 1) / kBlockSize;
        check(cudaLaunchKernel(reinterpret_cast<const void*>(function), dim3(static_cast<unsigned>(blocks)),
                               dim3(kBlockSize), all.data(), 0, ownStream(stream)),
              "cudaLaunchKernel");
        finish(noted, stop, stream);
        std::uint32_t fault = 0;
        detail::copyBytes(&fault, MemorySpace::host, noted, MemorySpace::device, sizeof fault, stream);
        stream.synchronize();
        if (fault != 0)
            throwFault(fault);
        first += threads;
        if (timer.elapsedMs() < kShortMs)
            threads = std::min(threads * 2, kMaxWaves * least);
        else if (timer.elapsedMs() > kLongMs)
            threads = std::max(threads / 2 / kBlockSize * kBlockSize, least);
    }
}

} // namespace scanloupe::cuda
