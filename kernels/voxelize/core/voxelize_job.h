#pragma once
// Declares the state of a call of cpu::voxelize: its arguments, and its points, block by block, with their
// cells.
#include "kernels/core/cost.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_checks.h"

#include <array>

namespace scanloupe::cpu {

/// Marks points without a cell: grids have at most 2^63 cells.
inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

/// Consecutive points and their cells, as a structure of arrays: loops over them have no branches, so that
/// compilers vectorize them.
struct PointBlock {
    static constexpr std::size_t kSize = 256;
    std::size_t begin = 0;                                        ///< index of the first point
    std::size_t size = 0;                                         ///< points, at most kSize
    alignas(64) std::array<std::array<float, kSize>, 3> position; ///< metres; the origin for points outside
    alignas(64) std::array<std::array<std::int32_t, kSize>, 3> cell; ///< 0 for points outside
    alignas(64) std::array<std::uint64_t, kSize> key;                ///< kNoKey for points outside
};

struct VoxelizeJob {
    const PointsView& points;
    const VoxelizeParams& params;
    VoxelCells cells;
    std::vector<FeatureScale> scales; ///< [F]
    const std::stop_token& stop;
    StepTimer& steps; ///< the strategy must end the step "insert" before it numbers the voxels

    /// Returns the number of points per chunk of a parallel loop: about a millisecond of work, but small
    /// enough that small clouds have enough chunks.
    std::size_t grain() const;
    /// Finds the cells of up to PointBlock::kSize points, starting at `begin`.
    void locate(std::size_t begin, std::size_t end, PointBlock& block) const;

    /// Calls `use(block)` for the points [begin, end).
    template <class Use>
    void forEachBlock(std::size_t begin, std::size_t end, Use&& use) const {
        PointBlock block;
        for (std::size_t at = begin; at < end; at += block.size) {
            locate(at, end, block);
            use(block);
        }
    }
    /// Calls `use(block)` for all points, on all cores.
    template <class Use>
    void forEachBlock(Use&& use) const {
        parallelFor(points.count, grain(), stop,
                    [&](std::size_t begin, std::size_t end) { forEachBlock(begin, end, use); });
    }
};

} // namespace scanloupe::cpu
