// Looks up a field's values at voxels.
#include "kernels/field/values/voxel_values.h"

#include "kernels/core/queue/queue_body.h"
#include "kernels/field/values/voxel_value_element.h"

namespace scanloupe {

Buffer<float> valuesAtVoxels(Queue& q, const ScalarField& field, const VoxelGrid& voxels,
                             std::size_t stride) {
    const VoxelValues from = VoxelValues::of(field, voxels);
    auto values = bufferOn<float>(q, (voxels.size() + stride - 1) / stride);
    float* const to = values.data();
    q.forEach(values.size(), [=] HD(std::size_t i) { to[i] = from.at(i * stride); });
    return values;
}

} // namespace scanloupe
