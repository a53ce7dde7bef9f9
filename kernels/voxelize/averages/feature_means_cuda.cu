// Averages features over the points of each voxel on the device.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/averages/feature_means.h"

namespace scanloupe::cuda {

Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop, StreamView stream) {
    const std::vector<FeatureScale> scales = featureScales(features, members.count);
    auto means = Buffer<float>::in(MemorySpace::device, features.size() * members.voxels, stream);
    auto sums = Buffer<std::uint64_t>::in(MemorySpace::device, members.voxels, stream);
    if (!sums.empty())
        check(cudaMemsetAsync(sums.data(), 0, sums.bytes(), ownStream(stream)), "cudaMemsetAsync");
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (stop.stop_requested())
            throw Cancelled();
        addFeature(features[f], scales[f], members.count, members.pointVoxel, sums.data(), nullptr, stream);
        finishFeature(scales[f], sums.data(), members.voxels, counts, means.data() + f * members.voxels,
                      nullptr, stream);
    }
    return means;
}

} // namespace scanloupe::cuda
