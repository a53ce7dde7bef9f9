#pragma once
// Declares the clouds of the voxelization benchmark, and their reference results on the CPU.
#include "tests/bench/voxelize_method.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A cloud on the host, in one of its orders.
struct HostCloud {
    std::vector<Vec3f> positions;   // [N] metres
    std::vector<float> intensities; // [N] 0 to intensityMax
    float intensityMax = 1;
};

/// The range in which a scene is voxelized, metres.
struct SceneRange {
    Vec3f min, max;
};
SceneRange sceneRange(const std::string& scene);

/// @param scene "surface" or "dense" @param order "scan", "shuffled" or "random"; "dense" only has a random
///   order
HostCloud makeCloud(const std::string& scene, const std::string& order, std::uint64_t points);
/// Reads a file of float32 x, y, z, intensity. @throws KernelError
HostCloud readFrame(const std::filesystem::path& file);

/// Parses an edge length such as "0.2", or three such as "0.075x0.075x0.2", metres. @throws KernelError
Vec3f parseVoxelSize(const std::string& text);

/// Counts the points of each cell on the CPU, on all cores.
Histogram referenceOf(std::span<const Vec3f> positions, const VoxelCells& cells);

/// Describes how `found` differs from the reference; empty if they agree.
std::string difference(const Histogram& found, const Setting& setting);

} // namespace scanloupe::bench
