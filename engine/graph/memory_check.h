#pragma once
// Declares the check that a stage fits into the host memory before it starts.
#include "engine/compute/memory.h"

#include <cstdint>

namespace scanloupe {

struct RunContext;

/// Returns the host memory that a stage of this run may use, bytes.
std::uint64_t availableMemory(const RunContext& run);
/// Whether `bytes` exceed availableMemory().
bool isMemoryShort(const RunContext& run, std::uint64_t bytes);
/// @throws HostMemoryShort if a stage does not fit
void requireFit(const RunContext& run, const MemoryNeed& need);
/// Checks that a copy of `bytes` from the device fits. @throws HostMemoryShort
void requireDownloadMemory(const RunContext& run, std::uint64_t bytes);

} // namespace scanloupe
