#pragma once
// Declares the reader of raw volumes.
#include "kernels/field/core/scalar_field.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace scanloupe {

struct ReadOptions;

/// A raw 3D volume: dims and type come from the file's name, a sidecar or its length.
struct Volume {
    /// [dims.z, dims.y, dims.x]; 8 and 16-bit integers are divided by the largest value of their type. Empty:
    /// a grid to paint in, whose values are depths in metres.
    Buffer<float> values;
    LatticeShape lattice;
    float divisor = 1; ///< divisor of the file's values: above 1 for 8 and 16-bit integers
    std::string path, format;
};

/// True for the extension .raw.
bool isVolumeFile(const std::filesystem::path& path);
/// @throws EngineError with the problem and the next step; Cancelled.
Volume readVolume(const std::filesystem::path& path, const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
