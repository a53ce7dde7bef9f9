#pragma once
// The operators of this folder, with the choice of their backend. Input and results lie where it computes.
#include "kernels/core/execution.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/sculpt/sculpt.h"
#include "kernels/field/values/voxel_values.h"

namespace scanloupe {

/// Voxels to a field, see cpu::computeField.
inline ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const Execution& on) {
    return on.onDevice() ? cuda::computeField(voxels, params, on.stop, *on.device)
                         : cpu::computeField(voxels, params, on.stop);
}

/// Samples on the host to a field, see cpu::volumeField.
inline ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                               bool insideBelow, const Execution& on) {
    return on.onDevice() ? cuda::volumeField(values, lattice, clampBorder, insideBelow, on.stop, *on.device)
                         : cpu::volumeField(values, lattice, clampBorder, insideBelow, on.stop);
}

/// A field after dabs of brushes, see cpu::sculpt.
inline ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, const Execution& on) {
    return on.onDevice() ? cuda::sculpt(field, dabs, on.stop, *on.device) : cpu::sculpt(field, dabs, on.stop);
}

/// The field at every `stride`-th voxel, see cpu::valuesAtVoxels.
inline Buffer<float> valuesAtVoxels(const ScalarField& field, const VoxelGrid& voxels, std::size_t stride,
                                    const Execution& on) {
    return on.onDevice() ? cuda::valuesAtVoxels(field, voxels, stride, *on.device)
                         : cpu::valuesAtVoxels(field, voxels, stride, on.stop);
}

} // namespace scanloupe
