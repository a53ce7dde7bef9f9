#pragma once
// Declares the readers of scans of all known formats and of raw volumes.
#include "engine/cloud/point_cloud.h"
#include "engine/io/progress.h"
#include "kernels/field/scalar_field.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// The number type of a .bin file, little endian.
enum class SweepType : std::uint8_t { byContent, float32, float16 };

struct ReadOptions {
    int columns = 0; ///< numbers a point in a .bin file; 0: detected by content
    SweepType type = SweepType::byContent;
    ProgressFunction progress;
};

/// A raw 3D volume: dims and type come from the file's name, a sidecar or its length.
struct Volume {
    Buffer<float> values; ///< [dims.z, dims.y, dims.x]; 8 and 16-bit integers are scaled to 0..1
    LatticeShape lattice;
    std::string path, format;
};

/// True when the file's name or content says that it is a raw volume.
bool isVolumeFile(const std::filesystem::path& path);
/// @throws EngineError with what is wrong and what to do next; Cancelled.
Volume readVolume(const std::filesystem::path& path, const ReadOptions& options, const std::stop_token& stop);

/// Reads one scan. The format is detected by content first, by name second.
/// @throws EngineError with what is wrong and what to do next; Cancelled.
std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop);

/// Endings that readScan knows, with their dot: ".ply", ".pcd", ...
const std::vector<std::string>& scanEndings();

/// The next step for messages about a file of unknown format, with a list of the known ones.
std::string knownFormats();

} // namespace scanloupe
