// Looks up a field's values at voxels on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/field/values/voxel_value_element.h"
#include "kernels/field/values/voxel_values.h"

namespace scanloupe::cuda {

namespace {
__global__ void gatherValuesAtVoxels(VoxelValues from, std::size_t stride, std::size_t count, float* values) {
    const std::size_t i = globalIndex();
    if (i < count)
        values[i] = from.at(i * stride);
}
} // namespace

Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             StreamView stream) {
    const VoxelValues view = VoxelValues::of(field, voxels);
    const std::size_t count = (voxels.size() + stride - 1) / stride;
    auto values = Buffer<float>::in(MemorySpace::device, count, stream);
    if (count > 0)
        launch("gatherValuesAtVoxels", count, stream, gatherValuesAtVoxels, view, stride, count,
               values.data());
    return values;
}

} // namespace scanloupe::cuda
