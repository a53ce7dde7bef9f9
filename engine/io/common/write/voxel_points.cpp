// Lists the points of voxels for formats that store them.
#include "engine/io/common/write/voxel_points.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "kernels/core/error.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <fmt/format.h>
#include <variant>

namespace scanloupe {

std::vector<std::string> VoxelPoints::names() const {
    std::vector<std::string> all{"x", "y", "z"};
    for (const Attribute* attribute : attributes)
        all.push_back(attribute->name);
    return all;
}

bool VoxelPoints::needDouble() const {
    const auto fits = [](ScalarType type) { return type == ScalarType::float32 || sizeOf(type) <= 2; };
    return !std::holds_alternative<FloatPositions>(cloud->positions()) ||
           !std::ranges::all_of(attributes, [&](const Attribute* a) { return fits(a->type); });
}

double VoxelPoints::value(std::uint32_t point, std::size_t column) const {
    return column < 3 ? cloud->position(point)[int(column)] : attributes[column - 3]->value(point);
}

VoxelPoints pointsOfVoxels(std::shared_ptr<const PointCloud> cloud, std::vector<const Attribute*> attributes,
                           std::span<const std::uint32_t> pointVoxel, std::span<const std::uint32_t> counts,
                           std::uint32_t most, const std::stop_token& stop) {
    VoxelPoints listed;
    listed.cloud = std::move(cloud);
    listed.attributes = std::move(attributes);
    listed.most = most;
    constexpr double largest = 1e12; // bytes
    const double bytes = double(counts.size()) * most * double(listed.columns() * sizeof(float));
    if (bytes > largest)
        throw EngineError(fmt::format("{} voxels of {} points each would take {:.0f} TB.", counts.size(),
                                      most, bytes / 1e12),
                          "Use fewer points per voxel (--max-points-per-voxel), such as 10.");
    listed.starts.resize(counts.size() + 1);
    std::uint32_t begin = 0; // no overflow: the sum is at most the number of points, which is less than 2^32
    for (std::size_t voxel = 0; voxel < counts.size(); ++voxel) {
        listed.starts[voxel] = begin;
        begin += counts[voxel];
    }
    listed.starts.back() = begin;
    listed.points.resize(begin);
    std::vector<std::uint32_t> next(listed.starts.begin(), listed.starts.end() - 1);
    constexpr std::size_t block = std::size_t{1} << 20;
    for (std::size_t i = 0; i < pointVoxel.size(); ++i) {
        if (i % block == 0 && stop.stop_requested())
            throw Cancelled();
        if (pointVoxel[i] != kNoVoxel)
            listed.points[next[pointVoxel[i]]++] = static_cast<std::uint32_t>(i);
    }
    return listed;
}

} // namespace scanloupe
