#pragma once
// Declares the look-up of a field's values at its voxels.
#include "kernels/core/queue/queue.h"
#include "kernels/field/core/scalar_field.h"

namespace scanloupe {

/// The values of a field of occupancy or density at the centres of every `stride`-th voxel of its grid,
/// [ceil(V / stride)]. All data lies where it computes. Asynchronous on the device. @throws KernelError for
/// another kind of field; DeviceMemoryShort; Cancelled
Buffer<float> valuesAtVoxels(HostQueue& q, const ScalarField& field, const VoxelGrid& voxels,
                             std::size_t stride);
Buffer<float> valuesAtVoxels(CudaQueue& q, const ScalarField& field, const VoxelGrid& voxels,
                             std::size_t stride);
inline Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                                    const Execution& on) {
    return onQueue(on, [&](auto& q) { return valuesAtVoxels(q, field, voxels, stride); });
}

} // namespace scanloupe
