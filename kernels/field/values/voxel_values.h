#pragma once
// Declares the look-up of a field's values at its voxels.
#include "kernels/field/core/scalar_field.h"

#include <stop_token>

namespace scanloupe {

namespace cpu {
/// The values of a field of occupancy or density at the centres of every `stride`-th voxel of its grid,
/// [ceil(V / stride)]. @throws KernelError for another kind of field; Cancelled
Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::valuesAtVoxels, with the same bytes as its result; all of it lies on the device. Asynchronous.
Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
