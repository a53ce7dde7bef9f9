#pragma once
// Declares how the voxels of a run become a file.
#include "engine/io/common/write/write_options.h"
#include "engine/results/snapshot.h"

#include <filesystem>
#include <stop_token>

namespace scanloupe {

/// Writes the voxels of a run in the recipe's order, with all attributes; in formats that hold points (.npz),
/// also the points of each voxel where the recipe limits them. @throws EngineError; KernelError; Cancelled.
/// @param options their origin, order and points are those of the snapshot
void writeVoxelsOf(const Snapshot& snapshot, const std::filesystem::path& target, WriteOptions options,
                   const std::stop_token& stop);

} // namespace scanloupe
