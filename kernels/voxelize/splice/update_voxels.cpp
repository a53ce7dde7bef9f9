// Averages the voxels of changed points again, on the CPU.
#include "kernels/voxelize/splice/update_voxels.h"

#include "kernels/core/error.h"
#include "kernels/core/queue/host_queue.h"
#include "kernels/voxelize/splice/splice_element.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kUpdateVoxelsGrain = 1 << 15; // points

/// Returns the ascending indices of voxels that contained changed points, or whose key is one of `keys`.
std::vector<std::uint32_t> touchedVoxels(const VoxelGrid& before, std::span<const std::uint32_t> changed,
                                         std::span<const std::uint64_t> keys) {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t row : changed)
        if (before.pointVoxel[row] != kNoVoxel)
            touched.push_back(before.pointVoxel[row]);
    const auto known = before.keys.span();
    for (const std::uint64_t key : keys) {
        const auto at = std::lower_bound(known.begin(), known.end(), key);
        if (at != known.end() && *at == key)
            touched.push_back(std::uint32_t(at - known.begin()));
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    return touched;
}

VoxelGrid voxelizeRows(std::span<const Vec3f> points, std::span<const std::uint32_t> rows,
                       const VoxelizeParams& params, const std::stop_token& stop) {
    std::vector<Vec3f> some;
    some.reserve(rows.size());
    for (const std::uint32_t row : rows)
        some.push_back(points[row]);
    return voxelize({some.data(), some.size(), {}}, params, stop);
}

/// Counts a point without a voxel.
void countOutside(Vec3f point, std::uint64_t times, VoxelStats& stats) {
    (isFinite(point) ? stats.pointsOutside : stats.pointsNotFinite) += times; // modulo 2^64
}

/// Returns the indices of the points in some voxels, merged with `others`, ascending. Counts the points
/// without a voxel.
std::vector<std::uint32_t> rowsOf(const VoxelGrid& grid, std::span<const Vec3f> points,
                                  std::span<const std::uint32_t> voxels,
                                  std::span<const std::uint32_t> others, VoxelStats& stats,
                                  const std::stop_token& stop) {
    std::vector<std::uint8_t> isTouched(grid.size());
    for (const std::uint32_t voxel : voxels)
        isTouched[voxel] = 1;
    const std::size_t count = grid.pointVoxel.size();
    std::vector<std::vector<std::uint32_t>> parts(chunkCount(count, kUpdateVoxelsGrain));
    std::vector<VoxelStats> outside(parts.size());
    parallelChunks(count, kUpdateVoxelsGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       for (std::size_t row = begin; row < end; ++row) {
                           const std::uint32_t voxel = grid.pointVoxel[row];
                           if (voxel == kNoVoxel)
                               countOutside(points[row], 1, outside[chunk]);
                           else if (isTouched[voxel])
                               parts[chunk].push_back(std::uint32_t(row));
                       }
                   });
    for (const VoxelStats& part : outside) {
        stats.pointsOutside += part.pointsOutside;
        stats.pointsNotFinite += part.pointsNotFinite;
    }
    std::vector<std::uint32_t> inside, rows;
    for (const auto& part : parts)
        inside.insert(inside.end(), part.begin(), part.end());
    std::ranges::set_union(inside, others, std::back_inserter(rows));
    return rows;
}

VoxelChange changeOf(const VoxelGrid& before, std::vector<std::uint32_t> removed, const VoxelGrid& averaged) {
    VoxelChange change;
    change.removed = std::move(removed);
    const auto known = before.keys.span();
    auto from = known.begin();
    for (const std::uint64_t key : averaged.keys.span()) {
        from = std::lower_bound(from, known.end(), key);
        change.added.push_back(key);
        change.addedAt.push_back(std::uint32_t(from - known.begin()));
    }
    return change;
}

} // namespace

VoxelUpdate updateVoxels(const VoxelGrid& before, std::span<const Vec3f> points,
                         std::span<const std::uint32_t> changed, const VoxelizeParams& params,
                         const std::stop_token& stop) {
    const WallTimer timer;
    if (params.maxVoxels != 0 || params.maxPointsPerVoxel != 0 || before.featureCount != 0 ||
        before.pointVoxel.size() != points.size())
        throw Fault("voxels of other points, with features or with limits were to follow changes");
    VoxelUpdate update;
    // the new positions of the changed points
    const VoxelGrid now = voxelizeRows(points, changed, params, stop);
    std::vector<std::uint32_t> touched = touchedVoxels(before, changed, now.keys.span());
    VoxelStats stats;
    update.rows = rowsOf(before, points, touched, changed, stats, stop);
    update.averaged = voxelizeRows(points, update.rows, params, stop);
    const VoxelGrid& averaged = update.averaged;
    update.change = changeOf(before, std::move(touched), averaged);
    update.grid = spliceVoxels(before, update.change, {std::nullopt, stop});
    VoxelGrid& grid = update.grid;
    const VoxelChangeView view = viewOf(update.change);
    std::vector<std::uint32_t> places(averaged.size());
    for (std::size_t i = 0; i < averaged.size(); ++i) {
        const std::uint32_t to = places[i] = view.placeOfAdded(std::uint32_t(i));
        grid.counts[to] = averaged.counts[i];
        for (std::size_t axis = 0; axis < 3; ++axis)
            grid.means[axis * grid.size() + to] = averaged.mean(axis)[i];
    }
    for (std::size_t i = 0; i < update.rows.size(); ++i) {
        const std::uint32_t row = update.rows[i], voxel = averaged.pointVoxel[i];
        if (before.pointVoxel[row] == kNoVoxel)
            // the point was counted as outside, and may have a voxel now
            countOutside(points[row], ~std::uint64_t{0}, stats);
        if (voxel == kNoVoxel)
            countOutside(points[row], 1, stats);
        grid.pointVoxel[row] = voxel == kNoVoxel ? kNoVoxel : places[voxel];
    }
    stats.pointsInRange = points.size() - stats.pointsOutside - stats.pointsNotFinite;
    grid.stats = stats;
    grid.cost = {timer.elapsedMs(), 0.0, grid.bytes()};
    return update;
}

template <class T>
Buffer<T> updateValues(const Buffer<T>& before, const VoxelUpdate& update, const Buffer<T>& averaged,
                       const std::stop_token& stop) {
    auto values = Buffer<T>::host(update.grid.size());
    const VoxelChangeView view = viewOf(update.change);
    HostQueue(stop).forEachWalk(
        before.size(), [&](std::size_t first) { return VoxelPlaces(view, first); },
        [&](VoxelPlaces& places, std::size_t voxel) {
            if (const std::uint32_t to = places.of(voxel); to != kNoVoxel)
                values[to] = before[voxel];
        });
    for (std::size_t i = 0; i < averaged.size(); ++i)
        values[view.placeOfAdded(std::uint32_t(i))] = averaged[i];
    return values;
}

template Buffer<float> updateValues(const Buffer<float>&, const VoxelUpdate&, const Buffer<float>&,
                                    const std::stop_token&);
template Buffer<std::uint32_t> updateValues(const Buffer<std::uint32_t>&, const VoxelUpdate&,
                                            const Buffer<std::uint32_t>&, const std::stop_token&);

} // namespace scanloupe::cpu
