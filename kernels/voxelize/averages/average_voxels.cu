// Turns sums of points into means on the device, and averages the features that are not summed together with
// the position.
#include "kernels/voxelize/averages/cuda_average.cuh"

#include <cmath>

namespace scanloupe::cuda {

namespace {

__global__ void finishAll(Sums sums, const std::uint32_t* from, std::size_t limit, VoxelCells cells,
                          VoxelsOut out, std::uint32_t* tileSums, std::size_t tiles, Counts* counts) {
    const std::size_t voxel = globalIndex();
    syncGridDependency();
    if (voxel < tiles)
        tileSums[voxel] = 0;
    const std::size_t at = voxel < limit && from ? from[voxel] : voxel;
    countInBlock(&counts->averaged, voxel < limit ? finishAndClear(sums, at, cells, out, voxel) : 0);
}

/// Adds `value` to sums[voxel] with one atomic per run of neighbouring threads with the same voxel. Scans are
/// stored in the order of measurement, so neighbouring points often share a voxel. Must be called by all
/// threads of a warp.
__device__ void addToVoxel(std::uint64_t* sums, std::uint32_t voxel, std::uint64_t value) {
    const unsigned lane = threadIdx.x % 32;
    const bool isFirst = __shfl_up_sync(kFullWarp, voxel, 1) != voxel || lane == 0;
    const unsigned later = __ballot_sync(kFullWarp, isFirst) & ~((2u << lane) - 1);
    const unsigned end = later != 0 ? __ffs(static_cast<int>(later)) - 1 : 32; // first lane after the run
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const std::uint64_t other = __shfl_down_sync(kFullWarp, value, lanes);
        value += lane + lanes < end ? other : 0;
    }
    if (isFirst && voxel != kNoVoxel)
        atomicAdd(reinterpret_cast<Count*>(sums) + voxel, static_cast<Count>(value));
}

/// Sums one feature per voxel. @param pointVoxel [N] voxel of each point
/// @param sums [V]
template <class T>
__global__ void sumFeature(const T* values, FeatureScale scale, std::size_t n,
                           const std::uint32_t* pointVoxel, std::uint64_t* sums, Counts* counts) {
    const std::size_t i = globalIndex();
    const std::uint32_t voxel = i < n ? pointVoxel[i] : kNoVoxel;
    std::uint64_t fixed = 0;
    const bool finite = voxel == kNoVoxel || scale.toFixedPoint(static_cast<double>(values[i]), fixed);
    addToVoxel(sums, voxel, fixed);
    if (counts)
        countInWarp(&counts->featuresNotFinite, finite ? 0u : 1u);
}

/// Converts sums to means. @param sums [V], cleared for the next use
__global__ void finishSums(std::uint64_t* sums, std::size_t limit, FeatureScale scale,
                           const std::uint32_t* voxelPoints, float* means, const Counts* counts) {
    const std::size_t voxel = globalIndex();
    if (voxel >= limit || (counts && voxel >= counts->voxels))
        return;
    means[voxel] = scale.mean(sums[voxel], voxelPoints[voxel]);
    sums[voxel] = 0;
}

} // namespace

FeatureIn::FeatureIn(const FeatureView& view, const FeatureScale& s)
    : data(view.data), isDouble(view.type == ScalarType::float64), scale(s) {
    const auto inside = [&](float value) { return value - s.min >= 0 && value - s.min <= s.extent; };
    low = static_cast<float>(s.min), high = static_cast<float>(s.min + s.extent);
    for (int i = 0; i < 2 && !inside(low); ++i)
        low = std::nextafter(low, high); // after rounding to the nearest float, the limits may be just
                                         // outside the range
    for (int i = 0; i < 2 && !inside(high); ++i)
        high = std::nextafter(high, low);
    if (!inside(low) || !inside(high))
        low = 1, high = 0; // no float is in the range
}

PointsIn pointsIn(const Job& job) {
    PointsIn in;
    in.positions = job.points.positions;
    in.count = job.points.count;
    for (std::size_t f = 0; f < std::min<std::size_t>(job.scales.size(), kFusedFeatures); ++f)
        in.features[f] = FeatureIn(job.points.features[f], job.scales[f]);
    return in;
}

void finishVoxels(const Sums& sums, const std::uint32_t* from, std::size_t limit, const VoxelCells& cells,
                  const VoxelsOut& out, Counts* counts, StreamView stream, std::uint32_t* tileSums,
                  std::size_t tiles) {
    launchDependent("finishAll", std::max(limit, tiles), stream, finishAll, sums, from, limit, cells, out,
                    tileSums, tiles, counts);
}

void addFeature(const FeatureView& feature, const FeatureScale& scale, std::size_t n,
                const std::uint32_t* pointVoxel, std::uint64_t* sums, Counts* counts, StreamView stream) {
    visitScalar(feature.type, [&]<class T>(std::type_identity<T>) {
        launch("sumFeature", n, stream, sumFeature<T>, static_cast<const T*>(feature.data), scale, n,
               pointVoxel, sums, counts);
    });
}

void finishFeature(const FeatureScale& scale, std::uint64_t* sums, std::size_t limit,
                   const std::uint32_t* voxelPoints, float* means, const Counts* counts, StreamView stream) {
    launch("finishSums", limit, stream, finishSums, sums, limit, scale, voxelPoints, means, counts);
}

std::uint64_t averageMoreFeatures(const Job& job, const std::uint32_t* pointVoxel, VoxelGrid& grid) {
    auto sums = job.zeros<std::uint64_t>(grid.size());
    auto counts = job.zeros<Counts>(1);
    const VoxelsOut out = outputOf(job, grid);
    for (std::size_t f = kFusedFeatures; f < job.scales.size(); ++f) {
        addFeature(job.points.features[f], job.scales[f], job.points.count, pointVoxel, sums.data(),
                   counts.data(), job.stream);
        finishFeature(job.scales[f], sums.data(), grid.size(), out.counts, out.means.column(3 + f), nullptr,
                      job.stream);
        job.throwIfStopped();
    }
    return job.read(counts).featuresNotFinite;
}

std::uint64_t countNotFinite(const Job& job, const std::uint32_t* pointVoxel, std::size_t voxels) {
    auto sums = job.zeros<std::uint64_t>(voxels); // required by addFeature, but unused
    auto counts = job.zeros<Counts>(1);
    for (std::size_t f = 0; f < std::min<std::size_t>(job.scales.size(), kFusedFeatures); ++f)
        addFeature(job.points.features[f], job.scales[f], job.points.count, pointVoxel, sums.data(),
                   counts.data(), job.stream);
    return job.read(counts).featuresNotFinite;
}

void fillStats(const Job& job, const Counts& found, std::size_t kept, VoxelGrid& grid) {
    VoxelStats& stats = grid.stats;
    stats.pointsInRange = found.averaged + found.inDroppedVoxels + found.pastPointLimit;
    stats.pointsNotFinite = found.notFinite;
    stats.pointsOutside = job.points.count - stats.pointsInRange - found.notFinite;
    stats.voxelsDropped = found.voxels - kept;
    stats.pointsDroppedWithVoxels = found.inDroppedVoxels;
    stats.pointsDroppedInVoxels = found.pastPointLimit;
    stats.featuresNotFinite = found.featuresNotFinite;
}

VoxelsOut outputOf(const Job& job, VoxelGrid& grid) {
    VoxelsOut out;
    out.means = meanColumns(grid);
    out.keys = grid.keys.data();
    out.counts = grid.counts.data();
    for (std::size_t f = 0; f < std::min<std::size_t>(job.scales.size(), kFusedFeatures); ++f)
        out.scales[f] = job.scales[f];
    return out;
}

VoxelsOut makeOutput(const Job& job, std::size_t voxels, VoxelGrid& grid) {
    allocateVoxels(grid, voxels, job.channels(), MemorySpace::device, job.stream);
    return outputOf(job, grid);
}

namespace {
std::size_t fusedFeatures(const Job& job) {
    return std::min<std::size_t>(job.scales.size(), kFusedFeatures);
}
} // namespace

Sums sumsOf(const Job& job, SumLayout layout, Buffer<Count>& words) {
    return {words.data(), layout, static_cast<int>(fusedFeatures(job))};
}

SumLayout safeLayout(const Job& job) {
    return layoutFor(fusedFeatures(job), job.points.count);
}

SumLayout firstLayout(const Job& job) {
    return layoutFor(fusedFeatures(job), 0);
}

bool hasOverflowed(SumLayout layout, const Job& job, const Counts& found) {
    return layout == SumLayout::narrow && job.points.count > kNarrowPoints &&
           job.points.count - found.notSummed != found.averaged;
}

} // namespace scanloupe::cuda
