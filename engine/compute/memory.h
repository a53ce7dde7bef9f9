#pragma once
// Declares the comparison of required and available host memory.
#include "engine/cloud/error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace scanloupe {

/// Returns the memory that this process can still allocate on the host, bytes: MemAvailable of /proc/meminfo,
/// limited by the control group (containers) and the address space (ulimit -v).
std::uint64_t availableHostMemory();

/// Returns the memory that the control group of this process and its parents still allow, bytes. Their page
/// cache counts as free, since the kernel reclaims it. The maximum number if there is no limit.
/// @param root mount point of control groups, version 1 or 2 (/sys/fs/cgroup)
/// @param groups list of this process's groups (/proc/self/cgroup); groups outside `root`, as in containers,
///     are ignored
std::uint64_t availableCgroupMemory(const std::filesystem::path& root, const std::filesystem::path& groups);

/// Asks the C library to keep more of the memory that this process frees. Otherwise a job that repeatedly
/// allocates and frees large arrays spends much time on page faults. Only a hint.
void keepFreedMemory();

/// Returns freed memory to the system, so that it is available to other threads. Each thread has its own heap
/// and can't reuse memory freed by another one. Only a hint.
void trimHeap();

/// Asks the C library to return arrays of 1 MiB or more to the system when they are freed. Otherwise a window
/// that stays open keeps the memory of its largest run, fragmented by arrays in use. Only a hint.
void returnFreedMemory();

/// The memory that a stage is about to allocate.
struct MemoryNeed {
    std::string what; ///< e.g. "The field (1.2 M bricks at a voxel size of 0.01 m)"
    std::uint64_t bytes = 0;
    std::string nextStep; ///< suggestion: the parameter to change, with a value
};

/// Thrown if the required memory exceeds the available memory.
class HostMemoryShort : public EngineError {
public:
    using EngineError::EngineError;
};

/// @throws HostMemoryShort if `need` exceeds `available`; the message states both and the next step.
void requireMemory(const MemoryNeed& need, std::uint64_t available);

/// Formats a size, e.g. "3.2 GiB", "14 MiB", "512 B".
std::string formatBytes(std::uint64_t bytes);

} // namespace scanloupe
