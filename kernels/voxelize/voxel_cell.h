#pragma once
// The maths of voxelization for one point, one feature value and one voxel. Both backends call it, so they
// agree to the bit: only + - * /, comparisons and integers.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/voxelize/voxel_grid.h"

#include <cstdint>

namespace scanloupe {

/// One in the fixed point of the sums. At most 2^32 - 2 values of at most one are added, so 64 bits never
/// overflow.
inline constexpr double kFixedOne = 4294967296.0;

/// A value in [0, 1] as fixed point; what lies outside is clamped.
HD inline std::uint64_t toFixed(double value) {
    const double clamped = value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(clamped * kFixedOne + 0.5));
}

/// The mean of `count` fixed-point values, 0 to 1.
HD inline double meanOfFixed(std::uint64_t sum, std::uint32_t count) {
    return static_cast<double>(sum) / kFixedOne / static_cast<double>(count);
}

/// Finds the voxel of a point.
struct VoxelCells {
    GridShape shape;
    Vec3f rangeMax;

    /// True when `p` lies in the half-open range: false for NaN, which a test of the opposite would let pass.
    HD bool contains(Vec3f p) const {
        const Vec3f low = shape.origin;
        return p.x >= low.x && p.x < rangeMax.x && p.y >= low.y && p.y < rangeMax.y && p.z >= low.z &&
               p.z < rangeMax.z;
    }
    /// Voxel of a coordinate in the range. The quotient is divided, not multiplied by a reciprocal: the two
    /// differ for about one point in a hundred of a real frame. It may round up to `dims`, just below the
    /// upper end.
    HD std::int32_t cellAlong(int axis, float c) const {
        const auto index = static_cast<std::int32_t>((c - shape.origin[axis]) / shape.voxelSize[axis]);
        return index < shape.dims[axis] ? index : shape.dims[axis] - 1;
    }
    HD Vec3i cell(Vec3f p) const { return {cellAlong(0, p.x), cellAlong(1, p.y), cellAlong(2, p.z)}; }

    /// Where `c` lies within voxel `index`, as fixed point. The single-precision index may be off by a
    /// rounding step of the quotient; the position is then clamped to the voxel's face.
    HD std::uint64_t fractionAlong(int axis, float c, std::int32_t index) const {
        const double offset = static_cast<double>(c) - static_cast<double>(shape.origin[axis]);
        return toFixed(offset / static_cast<double>(shape.voxelSize[axis]) - static_cast<double>(index));
    }
    /// The mean coordinate, metres, from the sum of fractions within voxel `index`.
    HD float meanAlong(int axis, std::int32_t index, std::uint64_t sum, std::uint32_t count) const {
        return static_cast<float>(static_cast<double>(shape.origin[axis]) +
                                  (static_cast<double>(index) + meanOfFixed(sum, count)) *
                                      static_cast<double>(shape.voxelSize[axis]));
    }
};

/// Maps one feature's [min, max] to fixed point and back.
struct FeatureScale {
    double min = 0;
    double extent = 0;  ///< max - min
    double inverse = 0; ///< 1 / extent, 0 when all values are the same

    /// @returns false when `value` is NaN or infinite: it then counts as `min`.
    HD bool fixed(double value, std::uint64_t& result) const {
        const bool finite = value - value == 0.0;
        result = finite ? toFixed((value - min) * inverse) : 0;
        return finite;
    }
    /// The mean relative to `min`.
    HD float mean(std::uint64_t sum, std::uint32_t count) const {
        return static_cast<float>(meanOfFixed(sum, count) * extent);
    }
};

} // namespace scanloupe
