// Averages features over the points of each voxel on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/averages/sum_cache.h"
#include "kernels/voxelize/core/voxel_checks.h"

#include <algorithm>
#include <array>

namespace scanloupe::cpu {

namespace {

// number of points per chunk: so few that their voxels stay in a core's cache
constexpr std::size_t kFeatureMeansPointGrain = std::size_t{1} << 16;
constexpr std::size_t kFeatureMeansVoxelGrain = std::size_t{1} << 14;
constexpr std::size_t kBlock = 1024; // number of points whose values are converted at once

/// Features that are summed together: a point looks up its voxel once for all of them.
template <std::size_t G>
class FeatureGroup {
public:
    FeatureGroup(const FeatureView* features, const FeatureScale* scales, const VoxelMembers& members)
        : m_features(features), m_scales(scales), m_members(members),
          m_sums(Buffer<std::uint64_t>::host(G * members.voxels)) {}

    void sum(const std::stop_token& stop) {
        parallelFor(m_sums.size(), std::size_t{1} << 18, stop, [&](std::size_t begin, std::size_t end) {
            std::fill(m_sums.data() + begin, m_sums.data() + end, std::uint64_t{0});
        });
        parallelFor(m_members.count, kFeatureMeansPointGrain, stop, [&](std::size_t begin, std::size_t end) {
            SumCache<G> cache(m_sums.data());
            for (; begin < end; begin += kBlock)
                addBlock(begin, std::min(end - begin, kBlock), cache);
        });
    }
    /// @param means [G, V]
    void average(const std::uint32_t* counts, float* means, const std::stop_token& stop) const {
        const std::size_t voxels = m_members.voxels;
        parallelFor(voxels, kFeatureMeansVoxelGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = 0; g < G; ++g)
                for (std::size_t v = begin; v < end; ++v)
                    means[g * voxels + v] = m_scales[g].mean(m_sums[v * G + g], counts[v]);
        });
    }

private:
    void addBlock(std::size_t begin, std::size_t count, SumCache<G>& cache) const {
        std::array<std::array<std::uint64_t, kBlock>, G> fixed;
        for (std::size_t g = 0; g < G; ++g) {
            const FeatureScale scale = m_scales[g]; // a copy, which the writes of the loop cannot alias
            visitScalar(m_features[g].type, [&]<class T>(std::type_identity<T>) {
                const T* values = static_cast<const T*>(m_features[g].data) + begin;
                for (std::size_t i = 0; i < count; ++i)
                    scale.toFixedPoint(static_cast<double>(values[i]), fixed[g][i]);
            });
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t voxel = m_members.pointVoxel[begin + i];
            if (voxel == kNoVoxel)
                continue;
            std::array<std::uint64_t, G> row;
            for (std::size_t g = 0; g < G; ++g)
                row[g] = fixed[g][i];
            cache.add(voxel, row);
        }
    }

    const FeatureView* m_features;
    const FeatureScale* m_scales;
    VoxelMembers m_members;
    Buffer<std::uint64_t> m_sums; ///< [V, G]
};

} // namespace

Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop) {
    const std::vector<FeatureScale> scales = featureScales(features, members.count);
    auto means = Buffer<float>::host(features.size() * members.voxels);
    const auto addGroup = [&]<std::size_t G>(std::integral_constant<std::size_t, G>, std::size_t f) {
        FeatureGroup<G> group(&features[f], &scales[f], members);
        group.sum(stop);
        group.average(counts, means.data() + f * members.voxels, stop);
        return f + G;
    };
    for (std::size_t f = 0; f < features.size();) {
        if (features.size() - f >= 3) // vectors
            f = addGroup(std::integral_constant<std::size_t, 3>(), f);
        else
            f = addGroup(std::integral_constant<std::size_t, 1>(), f);
    }
    return means;
}

} // namespace scanloupe::cpu
