// Looks up the available memory where a need may be too large for it.
#include "engine/graph/memory_check.h"

#include "engine/graph/run_context.h"

namespace scanloupe {

std::uint64_t availableMemory(const RunContext& run) {
    return run.memoryLimit > 0 ? run.memoryLimit : availableHostMemory();
}

bool isMemoryShort(const RunContext& run, std::uint64_t bytes) {
    constexpr std::uint64_t small = std::uint64_t{64} << 20; // not worth a look at the system, 0.1 ms
    return (run.memoryLimit > 0 || bytes > small) && bytes > availableMemory(run);
}

void requireFit(const RunContext& run, const MemoryNeed& need) {
    if (isMemoryShort(run, need.bytes))
        requireMemory(need, availableMemory(run));
}

void requireDownloadMemory(const RunContext& run, std::uint64_t bytes) {
    requireFit(run, {"A copy of what the device has made", bytes,
                     "Take a larger voxel size (--voxel-size), or a smaller range (--range)."});
}

} // namespace scanloupe
