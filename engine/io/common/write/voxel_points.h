#pragma once
// Declares the points of voxels, for formats that store them.
#include "engine/cloud/attribute.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The points of each voxel in their order, at most `most` per voxel, with all attributes.
struct VoxelPoints {
    std::shared_ptr<const PointCloud> cloud; ///< with all attributes loaded
    std::vector<const Attribute*> attributes;
    std::uint32_t most = 0;            ///< K, maximum number of points per voxel
    std::vector<std::uint32_t> starts; ///< [V + 1] start of each voxel in `points`
    std::vector<std::uint32_t> points; ///< indices in the cloud, ascending within each voxel

    std::size_t columns() const {
        return 3 + attributes.size();
    } ///< C, number of columns: x, y, z and the
      ///< attributes
    std::vector<std::string> names() const;
    /// Whether a coordinate or an attribute has a type that single precision does not represent exactly.
    bool needDouble() const;
    double value(std::uint32_t point, std::size_t column) const;
    std::span<const std::uint32_t> of(std::size_t voxel) const {
        return {points.data() + starts[voxel], points.data() + starts[voxel + 1]};
    }
};

/// Lists the points of voxels. @param pointVoxel [N] index of each point's voxel, see VoxelGrid::pointVoxel
/// @param counts [V] number of points in each voxel, at most `most`
/// @throws Cancelled; EngineError if a table of `most` points per voxel would exceed the maximum file size
VoxelPoints pointsOfVoxels(std::shared_ptr<const PointCloud> cloud, std::vector<const Attribute*> attributes,
                           std::span<const std::uint32_t> pointVoxel, std::span<const std::uint32_t> counts,
                           std::uint32_t most, const std::stop_token& stop);

} // namespace scanloupe
