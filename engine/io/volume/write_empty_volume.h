#pragma once
// Declares the writer of grids to paint in.
#include "kernels/core/vec3.h"

#include <filesystem>

namespace scanloupe {

/// Writes a .raw file and its sidecar, which readVolume reads as a volume without values.
/// @param dims nodes along x, y, z @param spacing between them, metres
/// @throws EngineError when a file can't be written, or when there would be less than two nodes
void writeEmptyVolume(const std::filesystem::path& target, Vec3i dims, Vec3f spacing);

} // namespace scanloupe
