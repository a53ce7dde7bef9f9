#pragma once
// Visits the voxels of a grid with their indices in the grid after a change, on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/splice/splice_element.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace scanloupe::cpu {

/// Calls `visit(voxel, place)` on all cores for each of `count` voxels; the place is kNoVoxel for one that is
/// removed. Ascending voxels need no search in the lists.
template <class Visit>
void forPlaces(const VoxelChangeView& change, std::size_t count, const std::stop_token& stop, Visit&& visit) {
    parallelFor(count, std::size_t{1} << 14, stop, [&](std::size_t begin, std::size_t end) {
        const auto first = std::uint32_t(begin);
        std::uint32_t removed = lowerBound(change.removed, change.removedCount, first);
        std::uint32_t added = lowerBound(change.addedAt, change.addedCount, first);
        for (std::size_t v = begin; v < end; ++v) {
            while (added < change.addedCount && change.addedAt[added] <= v)
                ++added;
            if (removed < change.removedCount && change.removed[removed] == v) {
                ++removed;
                visit(v, kNoVoxel);
            } else {
                visit(v, std::uint32_t(v) - removed + added);
            }
        }
    });
}

} // namespace scanloupe::cpu
