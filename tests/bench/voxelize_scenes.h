#pragma once
// Declares the clouds of the voxelization benchmark, and the reference results by the CPU.
#include "tests/bench/voxelize_method.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scanloupe::bench {

/// A cloud on the host, in one order.
struct HostCloud {
    std::vector<Vec3f> positions;   // [N] metres
    std::vector<float> intensities; // [N] 0 to intensityMax
    float intensityMax = 1;
};

/// The range for voxelizing a scene, metres.
struct SceneRange {
    Vec3f min, max;
};
SceneRange sceneRange(const std::string& scene);

/// `scene` is "surface" or "dense", `order` "scan", "shuffled" or "random" ("dense" has one order only, which
/// is random).
HostCloud makeCloud(const std::string& scene, const std::string& order, std::uint64_t points);
/// A file of float32 x, y, z, intensity. @throws KernelError
HostCloud readFrame(const std::filesystem::path& file);

/// "0.2" or "0.075x0.075x0.2", metres. @throws KernelError
Vec3f parseVoxelSize(const std::string& text);

/// Counts the points of each cell on all cores.
Histogram referenceOf(std::span<const Vec3f> positions, const VoxelCells& cells);

/// The difference of `found` from the reference; empty without one.
std::string difference(const Histogram& found, const Setting& setting);

} // namespace scanloupe::bench
