#pragma once
// Declares writing the voxels of a run to a file.
#include <filesystem>
#include <stop_token>

namespace scanloupe {

struct Snapshot;
struct WriteOptions;

/// Writes the voxels of a run in the recipe's order, with all attributes. Formats with points (.npz) also get
/// the points of each voxel if the recipe limits their number.
/// @param options origin, order and points are set from the snapshot
/// @throws EngineError; KernelError; Cancelled
void writeVoxelsOf(const Snapshot& snapshot, const std::filesystem::path& target, WriteOptions options,
                   const std::stop_token& stop);

} // namespace scanloupe
