// Averages features over the points of each voxel on the device, up to four of them in one pass: the sums of
// a voxel fill a 32-byte sector, which costs the second-level cache hardly more than one of its words.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/averages/feature_means.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kTogether = 4; // words of a sector

/// Features that are summed together.
struct FeaturesIn {
    const void* data[kTogether]; // each [N]
    ScalarType types[kTogether];
    FeatureScale scales[kTogether];
    unsigned count;
};

/// K values of a column from `first` on; the first `count` are valid.
template <int K>
__device__ void loadValues(const void* column, ScalarType type, std::size_t first, int count,
                           double (&values)[K]) {
    if constexpr (K == 4) {
        const auto* wide = reinterpret_cast<const float4*>(static_cast<const float*>(column) + first);
        if (type == ScalarType::float32 && count == K && reinterpret_cast<std::uintptr_t>(wide) % 16 == 0) {
            const float4 four = *wide;
            values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
            return;
        }
    }
#pragma unroll
    for (int k = 0; k < K; ++k) // a constant trip count keeps the array in registers
        values[k] = k < count ? scalarAt(column, type, first + static_cast<std::size_t>(k)) : 0.0;
}

/// Adds the values of K points per thread to the sums of their voxels. Runs of points in one voxel are summed
/// in registers; a warp whose points all lie in one voxel adds once.
/// @param sums [V, kTogether]
template <int K>
__global__ void __launch_bounds__(kBlockSize)
    sumFeatures(FeaturesIn in, std::size_t n, const std::uint32_t* pointVoxel, Count* sums) {
    __shared__ RunQueueStorage<kTogether> storage[kBlockSize / 32];
    RunQueue<kTogether> queue(storage[threadIdx.x / 32], sums);
    const std::size_t first = globalIndex() * K;
    const int count = first >= n ? 0 : n - first < K ? static_cast<int>(n - first) : K;
    std::uint32_t voxels[K];
    bool oneRun = true;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        voxels[k] = k < count ? pointVoxel[first + static_cast<std::size_t>(k)] : kNoVoxel;
        oneRun = oneRun && voxels[k] == voxels[0];
    }
    Count fixed[kTogether][K] = {};
#pragma unroll
    for (unsigned f = 0; f < kTogether; ++f) {
        if (f >= in.count)
            continue;
        double values[K];
        loadValues<K>(in.data[f], in.types[f], first, count, values);
#pragma unroll
        for (int k = 0; k < K; ++k) {
            std::uint64_t value = 0;
            in.scales[f].toFixedPoint(values[k], value);
            fixed[f][k] = value;
        }
    }
    Count run[kTogether] = {};
    const auto wordsOfRun = [&] { return RunWords<kTogether>{{{run[0], run[1]}, {run[2], run[3]}}}; };
#pragma unroll
    for (int k = 0; k < K; ++k) {
        const int before = k > 0 ? k - 1 : 0;
        const bool ends = k > 0 && voxels[k] != voxels[before];
        if (k > 0)
            queue.push(ends && voxels[before] != kNoVoxel, voxels[before], wordsOfRun());
#pragma unroll
        for (unsigned f = 0; f < kTogether; ++f)
            run[f] = (ends ? 0 : run[f]) + fixed[f][k];
    }
    const std::uint32_t current = voxels[K - 1];
    bool adds = current != kNoVoxel;
    // executed by all lanes, so not after an &&
    const std::uint32_t firstLanes = __shfl_sync(kFullWarp, current, 0);
    if (__all_sync(kFullWarp, oneRun && adds && current == firstLanes)) {
#pragma unroll
        for (unsigned f = 0; f < kTogether; ++f) {
            for (int lanes = 16; f < in.count && lanes > 0; lanes /= 2)
                run[f] += __shfl_xor_sync(kFullWarp, run[f], lanes);
        }
        adds = threadIdx.x % 32 == 0;
    }
    queue.push(adds, current, wordsOfRun());
    queue.addAll();
}

/// @param sums [V, kTogether]
/// @param means [in.count, V]
__global__ void finishFeatures(FeaturesIn in, const Count* sums, std::size_t voxels,
                               const std::uint32_t* counts, float* means) {
    const std::size_t voxel = globalIndex();
    if (voxel >= voxels)
        return;
    for (unsigned f = 0; f < in.count; ++f)
        means[f * voxels + voxel] = in.scales[f].mean(sums[voxel * kTogether + f], counts[voxel]);
}

} // namespace

Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop, StreamView stream) {
    const std::vector<FeatureScale> scales = featureScales(features, members.count);
    auto means = Buffer<float>::in(MemorySpace::device, features.size() * members.voxels, stream);
    auto sums = Buffer<Count>::in(MemorySpace::device, kTogether * members.voxels, stream);
    for (std::size_t f = 0; f < features.size() && !sums.empty(); f += kTogether) {
        if (stop.stop_requested())
            throw Cancelled();
        FeaturesIn in{};
        in.count = static_cast<unsigned>(std::min<std::size_t>(kTogether, features.size() - f));
        for (unsigned i = 0; i < in.count; ++i) {
            in.data[i] = features[f + i].data;
            in.types[i] = features[f + i].type;
            in.scales[i] = scales[f + i];
        }
        check(cudaMemsetAsync(sums.data(), 0, sums.bytes(), ownStream(stream)), "cudaMemsetAsync");
        withPointsPerThread(members.count, [&](auto perThread) {
            launch("sumFeatures", threadsFor(members.count, perThread), stream,
                   sumFeatures<decltype(perThread)::value>, in, members.count, members.pointVoxel,
                   sums.data());
        });
        launch("finishFeatures", members.voxels, stream, finishFeatures, in, sums.data(), members.voxels,
               counts, means.data() + f * members.voxels);
    }
    return means;
}

} // namespace scanloupe::cuda
