#pragma once
// Declares the writer of sidecars, which store the shape of raw volumes.
#include "kernels/core/vec3.h"

#include <filesystem>
#include <string>

namespace scanloupe {

/// Writes the sidecar of a volume, as volumeShape() reads it. @throws EngineError when it can't be written
/// @param type the name of a ScalarType, or kEmptyVolume @param dims values along x, y, z
/// @param spacing between them, metres
void writeSidecar(const std::filesystem::path& volume, Vec3i dims, const std::string& type, Vec3f spacing);

} // namespace scanloupe
