#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. Input and results are in the
// memory of that backend.
#include "kernels/core/execution.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/function/field_function.h"
#include "kernels/field/sculpt/sculpt.h"
#include "kernels/field/values/voxel_values.h"
#include "kernels/field/voxels/surface_voxels.h"
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Computes a field from voxels, see cpu::computeField. @param check is not called on the device
inline ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const Execution& on,
                                const cpu::BrickCheck& check = {}) {
    if (on.bySycl())
        return on.sycl->computeField(voxels, params, check, on.stop);
    return on.onDevice() ? cuda::computeField(voxels, params, on.stop, *on.device)
                         : cpu::computeField(voxels, params, on.stop, check);
}

/// Converts samples on the host to a field, see cpu::volumeField.
inline ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                               bool insideBelow, const Execution& on) {
    return on.onDevice() ? cuda::volumeField(values, lattice, clampBorder, insideBelow, on.stop, *on.device)
                         : cpu::volumeField(values, lattice, clampBorder, insideBelow, on.stop);
}

/// Returns a field without values, for painting from scratch; inside is above the iso-value.
inline ScalarField emptyField(const LatticeShape& lattice, const Execution& on) {
    ScalarField field;
    field.kind = FieldKind::volume;
    field.lattice = lattice;
    field.brickDims = coveringBricks(lattice.dims);
    if (on.onDevice()) {
        field.brickKeys = Buffer<std::uint64_t>::in(MemorySpace::device, 0, *on.device);
        field.values = Buffer<float>::in(MemorySpace::device, 0, *on.device);
        field.cellMask = Buffer<std::uint64_t>::in(MemorySpace::device, 0, *on.device);
    }
    return field;
}

/// Applies brush dabs to a field, see cpu::sculpt.
inline ScalarField sculpt(const ScalarField& field, std::span<const SculptDab> dabs, std::uint64_t most,
                          const Execution& on) {
    return on.onDevice() ? cuda::sculpt(field, dabs, most, on.stop, *on.device)
                         : cpu::sculpt(field, dabs, most, on.stop);
}

/// Applies a user's CUDA function to a field on the device, see cuda::applyFunction.
inline ScalarField applyFunction(const ScalarField& field, const TrustedCudaFile& file,
                                 const FieldFrame& frame, std::uint64_t most, const std::stop_token& stop,
                                 StreamView stream) {
    return cuda::applyFunction(field, file, frame, most, stop, stream);
}

/// Returns the difference between the current voxels and the voxels of a surface, see cpu::surfaceVoxels.
inline VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const Execution& on) {
    return on.onDevice() ? cuda::surfaceVoxels(source, on.stop, *on.device)
                         : cpu::surfaceVoxels(source, on.stop);
}

} // namespace scanloupe
