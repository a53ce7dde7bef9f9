#pragma once
// Declares the reader of raw volumes.
#include "kernels/field/core/scalar_field.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace scanloupe {

struct ReadOptions;

/// A raw 3D volume. Its dimensions and type come from a sidecar, the file's name or the file's length.
struct Volume {
    /// [dims.z, dims.y, dims.x] values; 8 and 16-bit integers are divided by the largest value of their type.
    /// Empty for a new grid to paint in, whose values are depths in metres.
    Buffer<float> values;
    LatticeShape lattice; ///< positions of the values
    float divisor = 1; ///< number by which the file's values were divided; above 1 for 8 and 16-bit integers
    std::string path, format;
};

/// Returns whether a path has the extension .raw.
bool isVolumeFile(const std::filesystem::path& path);
/// Reads a volume. @throws EngineError with the problem and the next step; Cancelled
Volume readVolume(const std::filesystem::path& path, const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
