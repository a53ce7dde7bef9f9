#pragma once
// Compares the memory that a stage needs with the memory that is available.
#include "engine/cloud/error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace scanloupe {

/// Bytes that this process can still allocate on the host: MemAvailable of /proc/meminfo, within the limits
/// of the control group (containers) and of the address space (ulimit -v), if any.
std::uint64_t availableHostMemory();

/// Bytes that the control group of this process and those above it still allow. Their page cache counts as
/// free, since the kernel reclaims it. The largest number if there is no limit.
/// @param root where groups of version 2 or 1 are mounted (/sys/fs/cgroup)
/// @param groups the list of this process's groups (/proc/self/cgroup); one that is not below `root`, as in
/// containers, is ignored
std::uint64_t availableCgroupMemory(const std::filesystem::path& root, const std::filesystem::path& groups);

/// Asks the C library to keep more of the memory that this process frees: a job that repeatedly allocates and
/// frees large arrays otherwise spends much of its time in page faults. Only a hint.
void keepFreedMemory();

/// Returns freed memory to the system, before other threads allocate: each has its own heap, and can't reuse
/// memory freed by this thread. Only a hint.
void trimHeap();

/// Asks the C library to return arrays of a megabyte or more to the system when they are freed: a window that
/// stays open would otherwise keep the memory of its largest run, in pieces between arrays in use. Only a
/// hint.
void returnFreedMemory();

/// The memory that a stage is about to allocate.
struct MemoryNeed {
    std::string what; ///< e.g. "The field (1.2 M bricks at a voxel size of 0.01 m)"
    std::uint64_t bytes = 0;
    std::string nextStep; ///< the parameter to change, with a value
};

/// A need that did not fit.
class HostMemoryShort : public EngineError {
public:
    using EngineError::EngineError;
};

/// @throws HostMemoryShort when `need` exceeds `available`: states the required and the available memory, and
/// the next step.
void requireMemory(const MemoryNeed& need, std::uint64_t available);

/// "3.2 GiB", "14 MiB", "512 B".
std::string formatBytes(std::uint64_t bytes);

} // namespace scanloupe
