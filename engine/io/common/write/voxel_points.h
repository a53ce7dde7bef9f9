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
    std::uint32_t most = 0;            ///< K
    std::vector<std::uint32_t> starts; ///< [V + 1] start of each voxel in `points`
    std::vector<std::uint32_t> points; ///< indices in the cloud, ascending within a voxel

    std::size_t columns() const { return 3 + attributes.size(); } ///< C: x, y, z and the attributes
    std::vector<std::string> names() const;
    /// Whether a coordinate or an attribute has a type that single precision does not represent exactly.
    bool needDouble() const;
    double value(std::uint32_t point, std::size_t column) const;
    std::span<const std::uint32_t> of(std::size_t voxel) const {
        return {points.data() + starts[voxel], points.data() + starts[voxel + 1]};
    }
};

/// Lists the points of voxels. @param pointVoxel [N] the voxel of each point, see VoxelGrid::pointVoxel
/// @param counts [V] points of each voxel, each at most `most`
/// @throws Cancelled; EngineError where a table of `most` points a voxel would exceed the size of files
VoxelPoints pointsOfVoxels(std::shared_ptr<const PointCloud> cloud, std::vector<const Attribute*> attributes,
                           std::span<const std::uint32_t> pointVoxel, std::span<const std::uint32_t> counts,
                           std::uint32_t most, const std::stop_token& stop);

} // namespace scanloupe
