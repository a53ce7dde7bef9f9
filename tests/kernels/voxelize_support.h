#pragma once
// Clouds, backends and an oracle for the tests of voxelization.
#include "kernels/voxelize/voxel_grid.h"

#include <QString>

#include <cstdint>
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

/// The names of the backends, for data-driven tests.
std::vector<std::string> backends();
/// Empty when the backend can run here, else why it can't.
std::string whyNot(const QString& backend);
/// Voxelizes on a backend; the result lies on the host.
VoxelGrid voxelizeOn(const QString& backend, const Cloud& cloud, const VoxelizeParams& params,
                     const std::stop_token& stop = {});

/// What a plain single-threaded loop finds in one voxel.
struct OracleVoxel {
    std::uint64_t count = 0;
    Vec3<long double> sum{};
    std::vector<std::size_t> points;
};
std::map<std::uint64_t, OracleVoxel> oracle(const Cloud& cloud, const VoxelizeParams& params);

/// The first difference between two grids, bit by bit; empty when there is none. `pointVoxel` is compared on
/// request.
std::string difference(const VoxelGrid& a, const VoxelGrid& b, bool pointVoxels);

/// Points of a street-like cloud: a plane with bumps in [-60, 60)^2, in the order of a spinning sensor.
Cloud streetCloud(std::size_t count, std::uint64_t seed);

} // namespace scanloupe::test
