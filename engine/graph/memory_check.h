#pragma once
// Declares the comparison of the memory that a stage is about to take with the host's, before it begins.
#include "engine/compute/memory.h"

#include <cstdint>

namespace scanloupe {

struct RunContext;

/// Bytes on the host that a stage of this run may take.
std::uint64_t availableMemory(const RunContext& run);
/// Whether `bytes` are more than that.
bool isMemoryShort(const RunContext& run, std::uint64_t bytes);
/// @throws HostMemoryShort when a stage would not fit
void requireFit(const RunContext& run, const MemoryNeed& need);
/// Memory of a copy of `bytes` from the device. @throws HostMemoryShort
void requireDownloadMemory(const RunContext& run, std::uint64_t bytes);

} // namespace scanloupe
