#pragma once
// Computes voxelization for one point, one feature value and one voxel, for both backends. It uses only + - *
// /, comparisons and integers, so that both get the same bits.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// A position within its voxel is in units of 2^-20 of the edge: finer than single precision resolves a
/// coordinate that lies more than a few voxels from the origin, and the sums of 2^11 points fit 32 bits.
inline constexpr int kFractionBits = 20;
inline constexpr std::uint32_t kFractionOne = std::uint32_t{1} << kFractionBits;
/// A feature is in units of 2^-32 of its range. At most 2^32 - 2 values of at most one range are added, so
/// that 64 bits never overflow.
inline constexpr double kFeatureOne = 4294967296.0;

/// 1.5 * 2^52: a number below 2^51 that is added to it is rounded to an integer.
inline constexpr double kRoundsToInteger = 6755399441055744.0;

/// The coordinates below which points lie in the cells of a grid: `rangeMax`, or less by a rounding where the
/// quotient that gives a point's cell rounds up to the number of cells. Detectors drop those points, too. In
/// grids of more than 2^20 cells along an axis, the last cell includes them.
Vec3f endOfCells(const GridShape& grid, Vec3f rangeMax);

/// Maps points to voxels of a grid, and positions within a voxel to fixed point and back.
struct VoxelCells {
    GridShape shape;         ///< shape of the numbered cells, see numberedGrid()
    Vec3f rangeMax;          ///< upper limit of the whole grid, see endOfCells()
    Vec3i low;               ///< the first cell that is numbered, in the whole grid
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

    /// True when `p` lies in the half-open range. False for NaN, which the negated comparisons would accept.
    HD bool contains(Vec3f p) const {
        const Vec3f min = shape.origin; // & instead of &&: without branches, loops can be vectorized
        return (p.x >= min.x) & (p.x < rangeMax.x) & (p.y >= min.y) & (p.y < rangeMax.y) & (p.z >= min.z) &
               (p.z < rangeMax.z);
    }
    /// Voxel of a coordinate in the range. The quotient is divided, not multiplied by a reciprocal: the two
    /// differ for about one point in a hundred of a real frame. Coordinates outside get the last voxel.
    HD std::int32_t cellAlong(int axis, float c) const {
        const auto index =
            static_cast<std::int32_t>((c - shape.origin[axis]) / shape.voxelSize[axis]) - low[axis];
        const bool isIn = static_cast<std::uint32_t>(index) < static_cast<std::uint32_t>(shape.dims[axis]);
        return isIn ? index : shape.dims[axis] - 1;
    }
    HD Vec3i cell(Vec3f p) const { return {cellAlong(0, p.x), cellAlong(1, p.y), cellAlong(2, p.z)}; }

    /// Position of `c` within voxel `index`, 0 to kFractionOne. The single-precision index may be off by one
    /// where the quotient was rounded; the position is then clamped to the voxel's face.
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
    /// The mean coordinate, metres, from the mean position within voxel `index`, 0 to 1.
    HD float meanAlong(int axis, std::int32_t index, double fraction) const {
        const auto size = static_cast<double>(shape.voxelSize[axis]);
        return static_cast<float>(origin[axis] + (static_cast<double>(index + low[axis]) + fraction) * size);
    }
    /// The mean position within a voxel, 0 to 1, from the sum of `count` positions.
    HD static double meanFraction(std::uint64_t sum, std::uint32_t count) {
        return static_cast<double>(sum) / static_cast<double>(kFractionOne) / static_cast<double>(count);
    }
};

/// The key in the whole grid of a voxel that a voxelization has numbered.
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
    double extent = 0;  ///< max - min; NaN when there are no means, see canBeAveraged
    double inverse = 0; ///< kFeatureOne / extent, 0 when all values are the same

    /// @returns false when `value` is NaN or infinite: it then counts as `min`
    HD bool toFixedPoint(double value, std::uint64_t& result) const {
        const bool finite = value - value == 0.0;
        const double part = (value - min) * inverse;
        const double clamped = part > 0.0 ? (part < kFeatureOne ? part : kFeatureOne) : 0.0;
        // 2^52 + n has n in its lower bits: all 52 are needed here
        const double rounded = clamped + 4503599627370496.0;
        result = finite ? std::bit_cast<std::uint64_t>(rounded) & 0xfffffffffffffu : 0;
        return finite;
    }
    /// The mean relative to `min`, from the sum of `count` values.
    HD float mean(std::uint64_t sum, std::uint32_t count) const {
        const double mean = static_cast<double>(sum) / kFeatureOne / static_cast<double>(count) * extent;
        // NaN with fixed bits, since the bits of a computed NaN differ between CPUs and GPUs
        return extent == extent ? static_cast<float>(mean) : std::bit_cast<float>(0x7fc00000u);
    }
};

} // namespace scanloupe
