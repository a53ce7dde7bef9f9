// Looks up a field's values at voxels on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/field/values/voxel_value_element.h"
#include "kernels/field/values/voxel_values.h"

namespace scanloupe::cpu {

Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             const std::stop_token& stop) {
    const VoxelValues view = VoxelValues::of(field, voxels);
    auto values = Buffer<float>::host(chunkCount(voxels.size(), stride));
    parallelFor(values.size(), 1 << 12, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            values[i] = view.at(i * stride);
    });
    return values;
}

} // namespace scanloupe::cpu
