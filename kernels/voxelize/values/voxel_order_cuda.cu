// Finds the first point of each voxel on the device, and drops voxels.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/values/voxel_order.h"

namespace scanloupe::cuda {

namespace {

/// Finds the lowest point index of each voxel. @param firsts [V] must be initialized with all bits set
__global__ void findFirstPoints(const std::uint32_t* pointVoxel, std::size_t count, std::uint32_t* firsts) {
    const std::size_t i = globalIndex();
    const std::uint32_t voxel = i < count ? pointVoxel[i] : kNoVoxel;
    if (voxel != kNoVoxel)
        atomicMin(firsts + voxel, static_cast<std::uint32_t>(i));
}

/// Copies the data of the kept voxels. @param from [voxels] their indices in the grid of `all` voxels
__global__ void takeVoxels(const std::uint32_t* from, std::size_t voxels, std::size_t all,
                           const std::uint64_t* keys, const std::uint32_t* counts, const float* means,
                           std::uint64_t* keysTaken, std::uint32_t* countsTaken, float* meansTaken) {
    const std::size_t i = globalIndex();
    if (i >= voxels)
        return;
    const std::size_t voxel = from[i];
    keysTaken[i] = keys[voxel];
    countsTaken[i] = counts[voxel];
    for (std::size_t c = 0; c < 3; ++c)
        meansTaken[c * voxels + i] = means[c * all + voxel];
}

/// Replaces the voxel of each point. @param places [V] new index of each voxel
__global__ void moveToPlaces(std::uint32_t* pointVoxel, std::size_t count, const std::uint32_t* places) {
    const std::size_t i = globalIndex();
    if (i < count && pointVoxel[i] != kNoVoxel)
        pointVoxel[i] = places[pointVoxel[i]];
}

Buffer<std::uint32_t> onDevice(const std::vector<std::uint32_t>& values, StreamView stream) {
    auto buffer = Buffer<std::uint32_t>::in(MemorySpace::device, values.size(), stream);
    detail::copyBytes(buffer.data(), MemorySpace::device, values.data(), MemorySpace::host, buffer.bytes(),
                      stream);
    return buffer;
}

} // namespace

Buffer<std::uint32_t> firstPoints(const VoxelMembers& members, StreamView stream) {
    auto firsts = Buffer<std::uint32_t>::in(MemorySpace::device, members.voxels, stream);
    if (!firsts.empty())
        check(cudaMemsetAsync(firsts.data(), 0xff, firsts.bytes(), ownStream(stream)), "cudaMemsetAsync");
    launch("findFirstPoints", members.count, stream, findFirstPoints, members.pointVoxel, members.count,
           firsts.data());
    return firsts;
}

void keepVoxels(VoxelGrid& grid, const KeptVoxels& kept, StreamView stream) {
    const std::size_t voxels = kept.voxels.size();
    auto keys = Buffer<std::uint64_t>::in(MemorySpace::device, voxels, stream);
    auto counts = Buffer<std::uint32_t>::in(MemorySpace::device, voxels, stream);
    auto means = Buffer<float>::in(MemorySpace::device, 3 * voxels, stream);
    const auto from = onDevice(kept.voxels, stream);
    launch("takeVoxels", voxels, stream, takeVoxels, from.data(), voxels, grid.size(), grid.keys.data(),
           grid.counts.data(), grid.means.data(), keys.data(), counts.data(), means.data());
    grid.keys = std::move(keys);
    grid.counts = std::move(counts);
    grid.means = std::move(means);
    stream.synchronize();
}

void moveToKept(Buffer<std::uint32_t>& pointVoxel, const KeptVoxels& kept, StreamView stream) {
    const auto places = onDevice(kept.places, stream);
    launch("moveToPlaces", pointVoxel.size(), stream, moveToPlaces, pointVoxel.data(), pointVoxel.size(),
           places.data());
    stream.synchronize();
}

} // namespace scanloupe::cuda
