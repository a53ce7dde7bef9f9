// Averages features over the points of each voxel on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/averages/sum_cache.h"
#include "kernels/voxelize/core/voxel_checks.h"

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kPointGrain = std::size_t{1}
                                    << 16; // the voxels of so many points stay in a core's cache
constexpr std::size_t kVoxelGrain = std::size_t{1} << 14;

} // namespace

Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop) {
    const std::vector<FeatureScale> scales = featureScales(features, members.count);
    auto sums = Buffer<std::uint64_t>::host(features.size() * members.voxels);
    parallelFor(sums.size(), std::size_t{1} << 18, stop, [&](std::size_t begin, std::size_t end) {
        std::fill(sums.data() + begin, sums.data() + end, std::uint64_t{0});
    });
    parallelFor(members.count, kPointGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = 0; f < features.size(); ++f) {
            SumCache<1> cache(sums.data() + f * members.voxels);
            const FeatureScale scale = scales[f]; // a copy: nothing that the loop writes can alias it
            visitScalar(features[f].type, [&]<class T>(std::type_identity<T>) {
                const T* values = static_cast<const T*>(features[f].data);
                for (std::size_t i = begin; i < end; ++i) {
                    if (members.pointVoxel[i] == kNoVoxel)
                        continue;
                    std::uint64_t fixed = 0;
                    scale.toFixedPoint(static_cast<double>(values[i]), fixed);
                    cache.add(members.pointVoxel[i], {fixed});
                }
            });
        }
    });
    auto means = Buffer<float>::host(sums.size());
    parallelFor(members.voxels, kVoxelGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = 0; f < features.size(); ++f)
            for (std::size_t v = begin; v < end; ++v)
                means[f * members.voxels + v] = scales[f].mean(sums[f * members.voxels + v], counts[v]);
    });
    return means;
}

} // namespace scanloupe::cpu
