#pragma once
// Declares the look-up of a field's values at voxels.
#include "kernels/field/core/scalar_field.h"

#include <stop_token>

namespace scanloupe {

namespace cpu {
/// Returns the values of an occupancy or density field at the centres of every `stride`-th voxel of its grid:
/// [ceil(V / stride)]. @throws KernelError for another kind of field; Cancelled
Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::valuesAtVoxels, with an identical result; all data is on the device. Asynchronous.
Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
