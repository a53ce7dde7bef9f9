#pragma once
// Orients normals without a sensor, for both backends: classifies pairs of neighbours by how well their
// normals agree, and decides which side of a connected component is outside.
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scanloupe {

/// Number of classes of agreement; pairs of neighbours are processed class by class, best agreement first.
inline constexpr int kAgreementClasses = 3;
HD constexpr float minAgreement(int level) {
    return level == 0 ? 0.9f : level == 1 ? 0.6f : 0.0f;
}
/// Returns the class of a pair of unit normals with this dot product.
HD inline int agreementClass(float agreement) {
    const float size = std::fabs(agreement);
    return size < minAgreement(1) ? 2 : size < minAgreement(0) ? 1 : 0;
}

/// Sums that decide the orientation of a component. They are integers, so any order of summation gives the
/// same result.
struct ComponentSums {
    Vec3<std::int64_t> centre; ///< sum of positions
    std::int64_t voxels = 0;
    std::int64_t outwards = 0, extent = 0; ///< sums over voxels: offset from the centre along the normal, and
                                           ///< length of the offset
    std::int64_t upwards = 0;              ///< sum of the upward components of the normals
};

/// Fixed-point scale of lengths: the grid's longest side is 2^30 steps, so that sums over 2^32 voxels fit
/// into 64 bits.
struct FixedPointScale {
    Vec3d origin;
    double stepsPerMetre = 0;

    static FixedPointScale of(const GridShape& shape) {
        const Vec3d extent = shape.dims.as<double>() * shape.voxelSize.as<double>();
        return {shape.origin.as<double>(), kOne / std::max({extent.x, extent.y, extent.z})};
    }
    HD Vec3<std::int64_t> quantized(Vec3f mean) const {
        return ((mean.as<double>() - origin) * stepsPerMetre).as<std::int64_t>();
    }
    HD void addPosition(ComponentSums& sums, Vec3f mean) const {
        sums.centre += quantized(mean);
        sums.voxels += 1;
    }
    /// Adds a voxel's normal. `of` holds the sums of all positions, which must be complete.
    HD void addNormal(ComponentSums& sums, const ComponentSums& of, Vec3f mean, Vec3f normal) const {
        const Vec3d fromCentre =
            quantized(mean).as<double>() - of.centre.as<double>() / static_cast<double>(of.voxels);
        sums.outwards += static_cast<std::int64_t>(dot(normal.as<double>(), fromCentre));
        sums.extent += static_cast<std::int64_t>(norm(fromCentre));
        sums.upwards += static_cast<std::int64_t>(static_cast<double>(normal.z) * kOne);
    }

private:
    static constexpr double kOne = 1073741824.0;
};

/// Returns whether a component's normals point inwards. If the component has no clear outside, returns
/// whether they point downwards.
HD inline bool pointsInwards(const ComponentSums& sums) {
    const bool clear = std::fabs(static_cast<double>(sums.outwards)) > 0.2 * static_cast<double>(sums.extent);
    return (clear ? sums.outwards : sums.upwards) < 0;
}

} // namespace scanloupe
