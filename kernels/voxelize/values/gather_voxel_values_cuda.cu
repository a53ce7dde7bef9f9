// Gathers values of voxels by index on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/splice/splice_element.h"
#include "kernels/voxelize/values/gather_voxel_values.h"

namespace scanloupe::cuda {

namespace {

__global__ void findMiddles(GridShape shape, const std::uint64_t* keys, std::size_t count, Vec3f* middles) {
    const std::size_t v = globalIndex();
    if (v < count)
        middles[v] = middleOfVoxel(shape, keys[v]);
}

template <class T>
__global__ void gatherVoxelKernel(const T* values, const std::uint32_t* from, std::size_t count,
                                  T* gathered) {
    const std::size_t i = globalIndex();
    if (i < count)
        gathered[i] = values[from[i]];
}

template <class T>
Buffer<T> gathered(const Buffer<T>& values, const Buffer<std::uint32_t>& from, StreamView stream) {
    auto result = Buffer<T>::in(MemorySpace::device, from.size(), stream);
    launch("gatherVoxelKernel", from.size(), stream, gatherVoxelKernel<T>, values.data(), from.data(),
           from.size(), result.data());
    return result;
}

} // namespace

Buffer<Vec3f> voxelMiddles(const VoxelGrid& grid, StreamView stream) {
    auto middles = Buffer<Vec3f>::in(MemorySpace::device, grid.size(), stream);
    launch("findMiddles", grid.size(), stream, findMiddles, grid.shape, grid.keys.data(), grid.size(),
           middles.data());
    return middles;
}

Buffer<float> gatherVoxelValues(const Buffer<float>& values, const Buffer<std::uint32_t>& from,
                                StreamView stream) {
    return gathered(values, from, stream);
}
Buffer<std::uint32_t> gatherVoxelValues(const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from, StreamView stream) {
    return gathered(values, from, stream);
}

} // namespace scanloupe::cuda
