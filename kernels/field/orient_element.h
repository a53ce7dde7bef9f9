#pragma once
// How normals without a sensor are turned, for both backends: which neighbours agree best, and which side of
// a whole set of voxels is outside.
#include "kernels/voxelize/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scanloupe {

/// Pairs of neighbours are taken in classes of agreement, best first.
inline constexpr int kAgreementClasses = 3;
HD constexpr float minAgreement(int level) {
    return level == 0 ? 0.9f : level == 1 ? 0.6f : 0.0f;
}
/// The first class that takes a pair whose normals have this dot product.
HD inline int agreementClass(float agreement) {
    const float size = std::fabs(agreement);
    return size < minAgreement(1) ? 2 : size < minAgreement(0) ? 1 : 0;
}

/// What decides the side of a set, in integers: they add up to the same in any order.
struct ComponentSums {
    Vec3<std::int64_t> centre; ///< sum of positions
    std::int64_t voxels = 0;
    std::int64_t outwards = 0, extent = 0; ///< along the normals and in all, from the centre
    std::int64_t upwards = 0;              ///< of the normals
};

/// Lengths in steps: the grid's longest side has 2^30 of them, so that the sums of 2^32 voxels fit.
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
    /// What a voxel adds after the places of all; `of` has their sums.
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

/// Whether a set's normals look inwards, or down where it has no clear outside.
HD inline bool pointsInwards(const ComponentSums& sums) {
    const bool clear = std::fabs(static_cast<double>(sums.outwards)) > 0.2 * static_cast<double>(sums.extent);
    return (clear ? sums.outwards : sums.upwards) < 0;
}

} // namespace scanloupe
