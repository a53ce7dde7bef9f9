// Gathers values of voxels by index on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/splice/splice_element.h"
#include "kernels/voxelize/values/gather_voxel_values.h"

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kGatherVoxelValuesGrain = std::size_t{1} << 15;

template <class T>
Buffer<T> gathered(const Buffer<T>& values, const Buffer<std::uint32_t>& from, const std::stop_token& stop) {
    auto result = Buffer<T>::host(from.size());
    parallelFor(from.size(), kGatherVoxelValuesGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            result[i] = values[from[i]];
    });
    return result;
}

} // namespace

Buffer<Vec3f> voxelMiddles(const VoxelGrid& grid, const std::stop_token& stop) {
    auto middles = Buffer<Vec3f>::host(grid.size());
    parallelFor(grid.size(), kGatherVoxelValuesGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            middles[v] = middleOfVoxel(grid.shape, grid.keys[v]);
    });
    return middles;
}

Buffer<float> gatherVoxelValues(const Buffer<float>& values, const Buffer<std::uint32_t>& from,
                                const std::stop_token& stop) {
    return gathered(values, from, stop);
}
Buffer<std::uint32_t> gatherVoxelValues(const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from, const std::stop_token& stop) {
    return gathered(values, from, stop);
}

} // namespace scanloupe::cpu
