// Gathers values of the voxels of another grid.
#include "kernels/voxelize/values/gather_voxel_values.h"

#include "kernels/core/queue/queue_body.h"
#include "kernels/voxelize/splice/splice_element.h"

namespace scanloupe {

namespace {
template <class T>
Buffer<T> gathered(Queue& q, const T* values, const Buffer<std::uint32_t>& from) {
    auto result = bufferOn<T>(q, from.size());
    T* const to = result.data();
    const std::uint32_t* const places = from.data();
    q.forEach(from.size(), [=] HD(std::size_t i) { to[i] = values[places[i]]; });
    return result;
}
} // namespace

Buffer<Vec3f> voxelMiddles(Queue& q, const VoxelGrid& grid) {
    auto middles = bufferOn<Vec3f>(q, grid.size());
    Vec3f* const to = middles.data();
    const std::uint64_t* const keys = grid.keys.data();
    const GridShape shape = grid.shape;
    q.forEach(grid.size(), [=] HD(std::size_t v) { to[v] = middleOfVoxel(shape, keys[v]); });
    return middles;
}

Buffer<float> gatherVoxelValues(Queue& q, const Buffer<float>& values, const Buffer<std::uint32_t>& from) {
    return gathered(q, values.data(), from);
}
Buffer<std::uint32_t> gatherVoxelValues(Queue& q, const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from) {
    return gathered(q, values.data(), from);
}

} // namespace scanloupe
