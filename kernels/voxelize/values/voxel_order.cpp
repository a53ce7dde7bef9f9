// Selects the voxels to keep by their first points, on the host for both backends.
#include "kernels/voxelize/values/voxel_order.h"

#include <algorithm>
#include <numeric>

namespace scanloupe {

std::vector<std::uint32_t> orderByFirstPoint(std::span<const std::uint32_t> firsts) {
    std::vector<std::uint32_t> order(firsts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return firsts[a] < firsts[b]; });
    return order;
}

KeptVoxels voxelsOfFirstPoints(std::span<const std::uint32_t> firsts, std::size_t most) {
    KeptVoxels kept;
    kept.places.assign(firsts.size(), kNoVoxel);
    if (most == 0)
        return kept;
    std::uint32_t last = kNoVoxel; // the first point of the last voxel to keep
    if (most < firsts.size()) {
        std::vector<std::uint32_t> sorted(firsts.begin(), firsts.end());
        const auto at = sorted.begin() + std::ptrdiff_t(most - 1);
        std::nth_element(sorted.begin(), at, sorted.end());
        last = *at;
    }
    kept.voxels.reserve(std::min(most, firsts.size()));
    for (std::size_t voxel = 0; voxel < firsts.size(); ++voxel) {
        if (firsts[voxel] > last)
            continue;
        kept.places[voxel] = static_cast<std::uint32_t>(kept.voxels.size());
        kept.voxels.push_back(static_cast<std::uint32_t>(voxel));
    }
    return kept;
}

void keepFirstVoxels(VoxelGrid& grid, std::size_t most, const Execution& on) {
    if (grid.size() <= most)
        return;
    if (grid.featureCount > 0 || !grid.modes.empty())
        throw Fault("voxels with features were to be dropped by their first points");
    const VoxelMembers members{grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()};
    const bool pointsAreThere = grid.pointVoxel.space() == MemorySpace::device;
    const StreamView stream = on.device.value_or(StreamView(nullptr));
    const Execution onPoints = pointsAreThere ? on : on.onHost();
    const auto firsts = firstPoints(members, onPoints).copyTo(MemorySpace::host, stream);
    const KeptVoxels kept = voxelsOfFirstPoints(firsts.span(), most);
    const auto counts = grid.counts.copyTo(MemorySpace::host, stream);
    for (std::size_t voxel = 0; voxel < counts.size(); ++voxel)
        grid.stats.pointsDroppedWithVoxels += kept.places[voxel] == kNoVoxel ? counts[voxel] : 0;
    grid.stats.voxelsDropped += grid.size() - kept.voxels.size();
    onQueue(onPoints, [&](auto& q) { moveToKept(q, grid.pointVoxel, kept); });
    onQueue(grid.keys.space() == MemorySpace::device ? on : on.onHost(),
            [&](auto& q) { keepVoxels(q, grid, kept); });
}

} // namespace scanloupe
