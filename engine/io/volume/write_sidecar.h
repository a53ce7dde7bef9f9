#pragma once
// Declares the writer of sidecars, which store the shape of raw volumes.
#include "kernels/core/vec3.h"

#include <filesystem>
#include <string>

namespace scanloupe {

/// Writes the sidecar of a volume in the format that volumeShape() reads. @throws EngineError if the sidecar
/// can't be written
/// @param dims number of values along x, y, z
/// @param type the name of a ScalarType, or kEmptyVolume
/// @param spacing distance between values along x, y, z, metres
void writeSidecar(const std::filesystem::path& volume, Vec3i dims, const std::string& type, Vec3f spacing);

} // namespace scanloupe
