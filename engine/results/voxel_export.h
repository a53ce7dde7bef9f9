#pragma once
// Declares how the voxels of a run become a file.
#include <filesystem>
#include <stop_token>

namespace scanloupe {

struct Snapshot;
struct WriteOptions;

/// Writes the voxels of a run in the recipe's order, with all attributes; in formats with points (.npz), also
/// the points of each voxel where the recipe limits them. @throws EngineError; KernelError; Cancelled. @param
/// options origin, order and points are set from the snapshot
void writeVoxelsOf(const Snapshot& snapshot, const std::filesystem::path& target, WriteOptions options,
                   const std::stop_token& stop);

} // namespace scanloupe
