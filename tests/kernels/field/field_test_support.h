#pragma once
// Voxel grids made by hand from points.
#include "kernels/voxelize/core/voxel_grid.h"

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace scanloupe::test {

/// A grid of voxels from `origin` on; points outside it are left out. Each point may carry features.
inline VoxelGrid binPoints(const std::vector<Vec3f>& points, GridShape shape,
                           const std::vector<std::vector<float>>& features = {}) {
    struct Sum {
        std::uint32_t count = 0;
        std::vector<double> sums;
    };
    std::map<std::uint64_t, Sum> voxels;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3f at = (points[i] - shape.origin) / shape.voxelSize;
        const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
        const Vec3i n = shape.dims;
        if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= n.x || cell.y >= n.y || cell.z >= n.z)
            continue;
        Sum& sum = voxels[shape.key(cell)];
        sum.sums.resize(3 + features.size());
        ++sum.count;
        for (int axis = 0; axis < 3; ++axis)
            sum.sums[std::size_t(axis)] += double{points[i][axis]};
        for (std::size_t f = 0; f < features.size(); ++f)
            sum.sums[3 + f] += double{features[f][i]};
    }
    VoxelGrid grid;
    grid.shape = shape;
    grid.featureCount = features.size();
    grid.keys = Buffer<std::uint64_t>::host(voxels.size());
    grid.counts = Buffer<std::uint32_t>::host(voxels.size());
    grid.means = Buffer<float>::host(voxels.size() * (3 + features.size()));
    std::size_t v = 0;
    for (const auto& [key, sum] : voxels) {
        grid.keys[v] = key;
        grid.counts[v] = sum.count;
        for (std::size_t c = 0; c < sum.sums.size(); ++c)
            grid.means[c * voxels.size() + v] = static_cast<float>(sum.sums[c] / sum.count);
        ++v;
    }
    return grid;
}

/// One point in the centre of each of these voxels.
inline VoxelGrid gridOfCells(const std::vector<Vec3i>& cells, GridShape shape) {
    std::vector<Vec3f> points;
    for (const Vec3i cell : cells)
        points.push_back(shape.origin + (cell.as<float>() + Vec3f{0.5f, 0.5f, 0.5f}) * shape.voxelSize);
    return binPoints(points, shape);
}

} // namespace scanloupe::test
