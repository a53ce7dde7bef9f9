#pragma once
// Voxelizes points in a bounded range: finds the occupied voxels with their counts and mean features.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/stream.h"
#include "kernels/core/vec3.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Marks a point that belongs to no voxel.
inline constexpr std::uint32_t kNoVoxel = std::numeric_limits<std::uint32_t>::max();

/// A regular grid of `dims` voxels that starts at `origin`; voxel (ix, iy, iz) has the 64-bit key
/// (iz * dims.y + iy) * dims.x + ix.
struct GridShape {
    Vec3f origin;    ///< lower corner of voxel (0, 0, 0), metres
    Vec3f voxelSize; ///< edge lengths, metres
    Vec3i dims;      ///< voxels along x, y, z

    std::uint64_t cellCount() const {
        return std::uint64_t(dims.x) * std::uint64_t(dims.y) * std::uint64_t(dims.z);
    }
    HD std::uint64_t key(Vec3i cell) const {
        return (std::uint64_t(cell.z) * std::uint64_t(dims.y) + std::uint64_t(cell.y)) *
                   std::uint64_t(dims.x) +
               std::uint64_t(cell.x);
    }
    HD Vec3i cell(std::uint64_t key) const {
        const auto nx = std::uint64_t(dims.x), ny = std::uint64_t(dims.y);
        if (key >> 32 == 0 && nx * ny >> 32 == 0) { // short divisions are several times faster
            const auto row = std::uint32_t(key) / std::uint32_t(nx),
                       x = std::uint32_t(key) % std::uint32_t(nx);
            return {std::int32_t(x), std::int32_t(row % std::uint32_t(ny)),
                    std::int32_t(row / std::uint32_t(ny))};
        }
        return {std::int32_t(key % nx), std::int32_t(key / nx % ny), std::int32_t(key / nx / ny)};
    }
    bool operator==(const GridShape&) const = default;
};

/// A box of cells of a grid, [low, low + dims).
struct CellWindow {
    Vec3i low, dims;
    bool operator==(const CellWindow&) const = default;
};

struct VoxelizeParams {
    Vec3f rangeMin;                      ///< metres, inclusive
    Vec3f rangeMax;                      ///< metres, exclusive
    Vec3f voxelSize;                     ///< metres, each > 0
    std::uint64_t maxVoxels = 0;         ///< keep the first `maxVoxels` in key order; 0: all
    std::uint32_t maxPointsPerVoxel = 0; ///< keep the first points by input index; 0: all
    VoxelizeStrategy strategy = VoxelizeStrategy::automatic;
    bool pointVoxels = true; ///< fill VoxelGrid::pointVoxel
    /// A window that contains all points in the range, if known. The result is the same, and numbering fewer
    /// cells is faster. Points outside the window would get wrong voxels. Dimensions of 0 mean all cells.
    CellWindow window = {};
    bool operator==(const VoxelizeParams&) const = default;
};

/// Returns the grid that covers the range, in single precision: extent / size voxels per axis, if that is a
/// whole number within the rounding of the range's ends and the size, as with spconv, mmdet3d and OpenPCDet;
/// otherwise ceil(extent / size), so that the last voxel extends beyond the range and no point is lost.
/// @throws KernelError when the range is empty or not finite, a size is not positive and finite, an axis
/// would have more than 2^31 - 1 voxels or the grid more than 2^63 cells; the next step names the smallest
/// size that works.
GridShape gridShape(const VoxelizeParams& params);
/// Returns the grid whose cells a voxelization numbers: the grid of the window, with the origin of the whole
/// grid.
GridShape numberedGrid(const VoxelizeParams& params, const GridShape& whole);

/// A further value per point, such as intensity or time. voxelize() takes float32 and float64, featureMeans()
/// any type.
struct FeatureView {
    const void* data = nullptr; ///< [N]
    ScalarType type = ScalarType::float32;
    double min = 0, max = 0; ///< smallest and largest finite value; means are kept relative to `min`
};

/// Returns whether the means of a feature, in single precision relative to its minimum, can represent its
/// values. If the range is too large, the means are NaN.
inline bool canBeAveraged(const FeatureView& feature) {
    return feature.max - feature.min <= static_cast<double>(std::numeric_limits<float>::max());
}

/// Points and their features, all in one memory space.
struct PointsView {
    const Vec3f* positions = nullptr;      ///< [N, 3] metres, relative to the cloud's origin
    std::size_t count = 0;                 ///< N
    std::span<const FeatureView> features; ///< F features; the span itself is on the host
};

/// Numbers of points and voxels by their outcome.
struct VoxelStats {
    std::uint64_t pointsInRange = 0;
    std::uint64_t pointsOutside = 0;           ///< finite, but outside of the range
    std::uint64_t pointsNotFinite = 0;         ///< a coordinate is NaN or infinite
    std::uint64_t voxelsDropped = 0;           ///< voxels dropped because of maxVoxels
    std::uint64_t pointsDroppedWithVoxels = 0; ///< in range, but their voxel was dropped
    std::uint64_t pointsDroppedInVoxels = 0;   ///< in range, but in excess of maxPointsPerVoxel
    std::uint64_t featuresNotFinite = 0;       ///< feature values that counted as the feature's `min`
    bool operator==(const VoxelStats&) const = default;
};

/// The occupied voxels, ascending by key, i.e. by z, then y, then x. All buffers are in the same memory
/// space.
struct VoxelGrid {
    GridShape shape;
    std::size_t featureCount = 0; ///< F
    Buffer<std::uint64_t> keys;   ///< [V]
    Buffer<std::uint32_t> counts; ///< [V] number of averaged points
    Buffer<float> means;          ///< [3 + F, V]: x, y, z in metres, then each feature relative to its `min`
    Buffer<std::uint32_t> modes;  ///< [C, V] most frequent class of each of C categories, see voxelModes();
                                  ///< left empty by voxelize()
    Buffer<std::uint32_t> pointVoxel; ///< [N] index of each point's voxel; kNoVoxel if the point was not
                                      ///< averaged
    StrategyChoice strategy;          ///< the strategy that found the voxels
    VoxelStats stats;
    Cost cost;

    std::size_t size() const { return keys.size(); } ///< V
    /// Channel c of the means, [V]; channels 0, 1, 2 are the position.
    const float* mean(std::size_t channel) const { return means.data() + channel * size(); }
    /// Returns the most frequent class of a category in each voxel, [V].
    const std::uint32_t* mode(std::size_t category) const { return modes.data() + category * size(); }
    std::size_t categoryCount() const { return size() == 0 ? 0 : modes.size() / size(); } ///< C
    std::uint64_t bytes() const {
        return keys.bytes() + counts.bytes() + means.bytes() + modes.bytes() + pointVoxel.bytes();
    }
    /// Returns a copy on the host. @note Synchronizes when the grid is on the device.
    VoxelGrid download(StreamView stream) const;
};

namespace cpu {
/// Averages the points of each occupied voxel, on all cores. A coordinate c falls into voxel floor((c -
/// rangeMin) / voxelSize), in single precision; beyond the last one it is outside. Sums are 64-bit fixed
/// point (the position within its voxel is resolved to 2^-20 of its edge, each feature to 2^-32 of [min,
/// max]), so that means do not depend on the order of points, the strategy or the backend.
/// @throws KernelError as gridShape, for N >= 2^32 - 1, for a strategy that does not support the parameters,
/// and when out of memory; Cancelled.
VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::voxelize, with an identical result; points and result are on the device.
/// @note Synchronizes with `stream` to read the number of voxels.
VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop,
                   StreamView stream);
} // namespace cuda

} // namespace scanloupe
