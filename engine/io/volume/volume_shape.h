#pragma once
// Declares the shape of raw volumes, which have no header.
#include "engine/io/common/input_file.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/vec3.h"

namespace scanloupe {

/// Maximum number of values of a volume.
inline constexpr double kMaxSamples = 9e15;
/// Type in the sidecar of a volume without values, a new grid to paint in.
inline constexpr const char* kEmptyVolume = "empty";

struct VolumeShape {
    Vec3i dims; ///< number of values along x, y, z
    ScalarType type = ScalarType::uint8;
    Vec3f spacing{1, 1, 1}; ///< distance between values along x, y, z, metres
    bool isEmpty = false;   ///< whether the volume has no values
};

/// Returns the path of a volume's sidecar, which need not exist: name.json next to name.raw.
std::filesystem::path sidecarOf(std::filesystem::path volume);

/// Determines the shape by a sidecar (name.json: {"dims": [x, y, z], "type": "uint8", "spacing": [x, y, z]}),
/// else by the name (name_64x64x32_uint8.raw), else by the length of the file, if the bytes form a cube.
/// @throws EngineError
VolumeShape volumeShape(const InputFile& file);

} // namespace scanloupe
