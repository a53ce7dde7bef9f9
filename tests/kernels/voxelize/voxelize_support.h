#pragma once
// Clouds, backends and an oracle for the tests of voxelization.
#include "kernels/voxelize/core/voxel_grid.h"
#include "tests/support/backend_rows.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scanloupe::test {

/// A cloud in host memory: positions, single-precision and double-precision features, in this order.
struct Cloud {
    std::vector<Vec3f> positions;             // [N]
    std::vector<std::vector<float>> singles;  // [F1, N]
    std::vector<std::vector<double>> doubles; // [F2, N]

    /// The same points, in the order of `order` [N].
    Cloud reordered(const std::vector<std::size_t>& order) const;
};

/// Backends and their strategies for data-driven tests: "cpu" and "cuda", where the strategy is automatic,
/// "cpu bitmap-rank", "cuda radix-sort" and so on.
std::vector<std::string> backends();
/// Adds the column "backend" and a row for each.
void addBackends();
/// Whether the backend's strategy supports the params.
bool accepts(const QString& backend, VoxelizeParams params);
/// Voxelizes on a backend, by its strategy; the result is on the host.
VoxelGrid voxelizeOn(const QString& backend, const Cloud& cloud, VoxelizeParams params,
                     const std::stop_token& stop = {});

/// A cloud's features with their ranges; the cloud owns the values.
std::vector<FeatureView> featureViews(const Cloud& cloud);

/// A copy of a cloud on the device.
class DeviceCloud {
public:
    DeviceCloud(const Cloud& cloud, StreamView stream);
    PointsView view() const { return {m_positions.data(), m_positions.size(), m_features}; }
    Vec3f* positions() { return m_positions.data(); }

private:
    Buffer<Vec3f> m_positions;
    std::vector<Buffer<float>> m_singles;
    std::vector<Buffer<double>> m_doubles;
    std::vector<FeatureView> m_features;
};

/// The range and voxels of a published detector, and the grid that it has.
struct DetectorGrid {
    const char* name;
    VoxelizeParams params;
    Vec3i dims;
};
std::vector<DetectorGrid> detectorGrids();

/// The result of a plain single-threaded loop for one voxel.
struct OracleVoxel {
    std::uint64_t count = 0;
    Vec3<long double> sum{};
    std::vector<std::size_t> points;
};
std::map<std::uint64_t, OracleVoxel> oracle(const Cloud& cloud, const VoxelizeParams& params);

/// The first difference between two grids, bit by bit; empty when there is none. `pointVoxel` is compared on
/// request.
std::string difference(const VoxelGrid& a, const VoxelGrid& b, bool pointVoxels);

/// A sweep of nuScenes: x, y, z and two features, five floats a point.
Cloud readKittiBin(const std::filesystem::path& path);

/// Points of a street-like cloud: a plane with bumps in [-60, 60)^2, in the order of a spinning sensor.
Cloud streetCloud(std::size_t count, std::uint64_t seed);

} // namespace scanloupe::test

/// Declares a test that runs on each backend, and skips those that can't run here.
#define ON_EACH_BACKEND(name) ON_BACKENDS_OF(addBackends, name, backend)
