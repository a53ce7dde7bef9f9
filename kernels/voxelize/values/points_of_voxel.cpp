// Lists the points of one voxel.
#include "kernels/voxelize/values/points_of_voxel.h"

#include "kernels/core/queue/queue_body.h"

#include <algorithm>

namespace scanloupe {

std::vector<std::uint32_t> pointsOfVoxel(Queue& q, const Buffer<std::uint32_t>& pointVoxel,
                                         std::uint32_t voxel, std::size_t most) {
    auto found = bufferOn<std::uint32_t>(q, most + 1); // the last element is their number
    std::uint32_t* const points = found.data();
    std::uint32_t* const count = points + most;
    const std::uint32_t* const voxels = pointVoxel.data();
    q.fillBytes(count, sizeof *count, 0);
    q.forEach(pointVoxel.size(), [=] HD(std::size_t i) {
        if (voxels[i] != voxel)
            return;
        const std::uint32_t place = Queue::add(count, 1u);
        if (place < most)
            points[place] = static_cast<std::uint32_t>(i);
    });
    const auto here = toHost(q, std::move(found));
    const auto end = here.span().begin() + std::ptrdiff_t(std::min<std::size_t>(here[most], most));
    std::vector<std::uint32_t> sorted(here.span().begin(), end);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

} // namespace scanloupe
