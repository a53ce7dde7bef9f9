#pragma once
// Computes the voxelization of one point, one feature value and one voxel, for both backends. Uses only + - *
// /, comparisons and integers, so that both backends get the same bits.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// Number of bits of a position within a voxel; its unit is 2^-20 of the edge. This is finer than single
/// precision for a coordinate more than a few voxels away from the origin, and sums of 2^11 points fit into
/// 32 bits.
inline constexpr int kFractionBits = 20;
inline constexpr std::uint32_t kFractionOne = std::uint32_t{1} << kFractionBits;
/// Fixed-point scale of features; the unit is 2^-32 of a feature's range. At most 2^32 - 2 values of at most
/// one range are added, so 64 bits never overflow.
inline constexpr double kFeatureOne = 4294967296.0;

/// 1.5 * 2^52: adding it to a number below 2^51 rounds that number to an integer.
inline constexpr double kRoundsToInteger = 6755399441055744.0;

/// Returns the upper limit of the coordinates of points in the cells of a grid. This is `rangeMax`, or
/// slightly less where rounding would assign a point to a cell beyond the last one. Detectors drop such
/// points, too. In grids of more than 2^20 cells along an axis, the last cell includes them.
Vec3f endOfCells(const GridShape& grid, Vec3f rangeMax);

/// Maps points to voxels of a grid, and positions within a voxel to fixed point and back.
struct VoxelCells {
    GridShape shape;         ///< shape of the numbered cells, see numberedGrid()
    Vec3f rangeMax;          ///< upper limit of the whole grid, see endOfCells()
    Vec3i low;               ///< coordinates of the first numbered cell in the whole grid
    Vec3d origin;            ///< shape.origin in double precision
    Vec3d fractionsPerMetre; ///< kFractionOne / voxelSize

    explicit VoxelCells(const VoxelizeParams& params) : VoxelCells(gridShape(params), params.rangeMax) {
        shape = numberedGrid(params, shape);
        low = params.window.low;
    }
    VoxelCells(const GridShape& whole, Vec3f max)
        : shape(whole), rangeMax(endOfCells(whole, max)), origin(whole.origin.as<double>()) {
        for (int axis = 0; axis < 3; ++axis)
            fractionsPerMetre[axis] =
                static_cast<double>(kFractionOne) / static_cast<double>(whole.voxelSize[axis]);
    }

    /// Returns whether `p` is in the half-open range; false for NaN, which negated comparisons would accept.
    HD bool contains(Vec3f p) const {
        const Vec3f min = shape.origin; // & instead of &&: without branches, loops can be vectorized
        return (p.x >= min.x) & (p.x < rangeMax.x) & (p.y >= min.y) & (p.y < rangeMax.y) & (p.z >= min.z) &
               (p.z < rangeMax.z);
    }
    /// Returns the voxel of a coordinate in the range; coordinates outside get the last voxel. Divides
    /// instead of multiplying by a reciprocal, since the results differ for about one point in a hundred of a
    /// real frame.
    HD std::int32_t cellAlong(int axis, float c) const {
        const auto index =
            static_cast<std::int32_t>((c - shape.origin[axis]) / shape.voxelSize[axis]) - low[axis];
        const bool isIn = static_cast<std::uint32_t>(index) < static_cast<std::uint32_t>(shape.dims[axis]);
        return isIn ? index : shape.dims[axis] - 1;
    }
    HD Vec3i cell(Vec3f p) const { return {cellAlong(0, p.x), cellAlong(1, p.y), cellAlong(2, p.z)}; }

    /// Returns the position of `c` within voxel `index`, 0 to kFractionOne. Rounding of the quotient may make
    /// the single-precision index off by one; the position is then clamped to the voxel's face.
    HD std::uint32_t fractionAlong(int axis, float c, std::int32_t index) const {
        const double offset = static_cast<double>(c) - origin[axis];
        // Below 2^51 this rounds to an integer in the lowest bits of the sum, without a slow conversion. Bits
        // above the lowest 32 cancel in the difference.
        const auto bits = std::bit_cast<std::uint64_t>(offset * fractionsPerMetre[axis] + kRoundsToInteger);
        const std::uint32_t cell = static_cast<std::uint32_t>(index) + static_cast<std::uint32_t>(low[axis]);
        const auto fixed =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) - (cell << kFractionBits));
        constexpr auto one = static_cast<std::int32_t>(kFractionOne);
        return static_cast<std::uint32_t>(fixed < 0 ? 0 : fixed > one ? one : fixed);
    }
    /// Returns the mean coordinate, metres, given the mean position within voxel `index`, 0 to 1.
    HD float meanAlong(int axis, std::int32_t index, double fraction) const {
        const auto size = static_cast<double>(shape.voxelSize[axis]);
        return static_cast<float>(origin[axis] + (static_cast<double>(index + low[axis]) + fraction) * size);
    }
    /// Returns the mean position within a voxel, 0 to 1, given the sum of `count` positions.
    HD static double meanFraction(std::uint64_t sum, std::uint32_t count) {
        return static_cast<double>(sum) / static_cast<double>(kFractionOne) / static_cast<double>(count);
    }
};

/// Returns the key in the whole grid, given the key in the numbered grid.
HD inline std::uint64_t keyInWhole(const GridShape& whole, const GridShape& numbered, Vec3i low,
                                   std::uint64_t key) {
    return whole.key(numbered.cell(key) + low);
}

/// The means of V voxels.
struct MeanColumns {
    float* means = nullptr; ///< [channels, V]
    std::size_t voxels = 0; ///< V

    HD float* column(std::size_t channel) const { return means + channel * voxels; }
    HD void set(std::size_t channel, std::size_t voxel, float value) const { column(channel)[voxel] = value; }
};

/// Maps one feature's [min, max] to fixed point and back.
struct FeatureScale {
    double min = 0;
    double extent = 0;  ///< max - min; NaN if the feature cannot be averaged, see canBeAveraged()
    double inverse = 0; ///< kFeatureOne / extent, 0 when all values are the same

    /// Converts a value to fixed point. @returns false if `value` is NaN or infinite; it then counts as `min`
    HD bool toFixedPoint(double value, std::uint64_t& result) const {
        const bool finite = value - value == 0.0;
        const double part = (value - min) * inverse;
        const double clamped = part > 0.0 ? (part < kFeatureOne ? part : kFeatureOne) : 0.0;
        // 2^52 + n has n in its lower bits: all 52 are needed here
        const double rounded = clamped + 4503599627370496.0;
        result = finite ? std::bit_cast<std::uint64_t>(rounded) & 0xfffffffffffffu : 0;
        return finite;
    }
    /// Returns the mean relative to `min`, given the sum of `count` values.
    HD float mean(std::uint64_t sum, std::uint32_t count) const {
        const double mean = static_cast<double>(sum) / kFeatureOne / static_cast<double>(count) * extent;
        // NaN with fixed bits, since the bits of a computed NaN differ between CPUs and GPUs
        return extent == extent ? static_cast<float>(mean) : std::bit_cast<float>(0x7fc00000u);
    }
};

} // namespace scanloupe
