#pragma once
// Declares the shape of raw volumes, which have no header.
#include "engine/io/common/input_file.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/vec3.h"

namespace scanloupe {

/// Maximum number of samples of a volume.
inline constexpr double kMaxSamples = 9e15;
/// The type of a volume without values, a grid to paint in.
inline constexpr const char* kEmptyVolume = "empty";

struct VolumeShape {
    Vec3i dims; ///< number of values along x, y, z
    ScalarType type = ScalarType::uint8;
    Vec3f spacing{1, 1, 1}; ///< distance between samples
    bool isEmpty = false;   ///< whether the volume has no values
};

/// The path of a volume's sidecar, if it has one: name.json next to name.raw.
std::filesystem::path sidecarOf(std::filesystem::path volume);

/// Finds the shape by a sidecar (name.json: {"dims": [x, y, z], "type": "uint8", "spacing": [x, y, z]}), by
/// the name (name_64x64x32_uint8.raw), or by the length if it is that of a cube of bytes. @throws EngineError
VolumeShape volumeShape(const InputFile& file);

} // namespace scanloupe
