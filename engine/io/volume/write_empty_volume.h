#pragma once
// Declares the writer of new grids to paint in.
#include "kernels/core/vec3.h"

#include <filesystem>

namespace scanloupe {

/// Writes a .raw file and its sidecar. readVolume() reads them as a volume without values.
/// @param dims number of nodes along x, y, z
/// @param spacing distance between nodes along x, y, z, metres
/// @throws EngineError if a file can't be written, if an axis has less than two nodes, or if the spacing is
/// not positive
void writeEmptyVolume(const std::filesystem::path& target, Vec3i dims, Vec3f spacing);

} // namespace scanloupe
