// Compares the available memory with a requirement that may exceed it.
#include "engine/graph/memory_check.h"

#include "engine/graph/run_context.h"

namespace scanloupe {

std::uint64_t availableMemory(const RunContext& run) {
    return run.memoryLimit > 0 ? run.memoryLimit : availableHostMemory();
}

bool isMemoryShort(const RunContext& run, std::uint64_t bytes) {
    constexpr std::uint64_t small = std::uint64_t{64} << 20; // smaller requirements are not checked, since
                                                             // querying the system takes 0.1 ms
    return (run.memoryLimit > 0 || bytes > small) && bytes > availableMemory(run);
}

void requireFit(const RunContext& run, const MemoryNeed& need) {
    if (isMemoryShort(run, need.bytes))
        requireMemory(need, availableMemory(run));
}

void requireDownloadMemory(const RunContext& run, std::uint64_t bytes) {
    requireFit(run, {"Copying a result from the device to the host", bytes,
                     "Use larger voxels (--voxel-size) or a smaller range (--range)."});
}

} // namespace scanloupe
