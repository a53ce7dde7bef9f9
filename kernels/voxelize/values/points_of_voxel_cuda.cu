// Lists the points of one voxel on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/values/points_of_voxel.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Lists the points of a voxel. @param points [most] receives their indices, in arbitrary order
/// @param count receives their number
__global__ void listPointsOfVoxel(const std::uint32_t* pointVoxel, std::size_t n, std::uint32_t voxel,
                                  std::uint32_t* points, std::size_t most, std::uint32_t* count) {
    const std::size_t i = globalIndex();
    if (i >= n || pointVoxel[i] != voxel)
        return;
    const std::uint32_t place = atomicAdd(count, 1u);
    if (place < most)
        points[place] = static_cast<std::uint32_t>(i);
}

} // namespace

std::vector<std::uint32_t> pointsOfVoxel(const Buffer<std::uint32_t>& pointVoxel, std::uint32_t voxel,
                                         std::size_t most, StreamView stream) {
    // the last element is the number of points
    auto points = Buffer<std::uint32_t>::in(MemorySpace::device, most + 1, stream);
    std::uint32_t* count = points.data() + most;
    check(cudaMemsetAsync(count, 0, sizeof *count, ownStream(stream)), "cudaMemsetAsync");
    launch("listPointsOfVoxel", pointVoxel.size(), stream, listPointsOfVoxel, pointVoxel.data(),
           pointVoxel.size(), voxel, points.data(), most, count);
    const auto host = points.copyTo(MemorySpace::host, stream);
    std::vector<std::uint32_t> found(
        host.span().begin(), host.span().begin() + std::ptrdiff_t(std::min<std::size_t>(host[most], most)));
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace scanloupe::cuda
