#pragma once
// What memory a stage will need, against what there is.
#include <cstdint>
#include <filesystem>
#include <string>

namespace scanloupe {

/// Bytes that this process can still take on the host: what the system calls available, within the limits of
/// the control group (containers) and of the process (ulimit -v), if any.
std::uint64_t availableHostMemory();

/// Bytes that the control group whose files lie in `root` (/sys/fs/cgroup, version 2 or 1) still allows:
/// pages of files that were read count as free, since they make room. The largest number when there is no
/// limit.
std::uint64_t availableCgroupMemory(const std::filesystem::path& root);

/// What a stage is about to take.
struct MemoryNeed {
    std::string what; ///< e.g. "The field (1.2 M bricks at a voxel size of 0.01 m)"
    std::uint64_t bytes = 0;
    std::string nextStep; ///< which parameter to move, and to what
};

/// @throws EngineError when `need` does not fit into `available`: how much is needed, how much there is, what
/// to do.
void requireMemory(const MemoryNeed& need, std::uint64_t available);

/// "3.2 GiB", "14 MiB", "512 B".
std::string formatBytes(std::uint64_t bytes);

} // namespace scanloupe
