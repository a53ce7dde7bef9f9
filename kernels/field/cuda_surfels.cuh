#pragma once
// Tangent planes on the device.
#include "kernels/field/cuda_field.cuh"

namespace scanloupe::cuda {

/// What gathering reads of each voxel, in one load each.
struct DeviceSurfels {
    Buffer<float4> points;  ///< [V] mean x, y, z in metres, and how far it is trusted
    Buffer<float4> normals; ///< [V] x, y, z, and 1 where the side is known
};

/// As cpu::makeSurfels, but not yet turned where nobody knows the side: `tally` counts those. Asynchronous.
DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          const NormalSource& source, FieldCounters* counters);

/// As cpu::propagateOrientation. @note Synchronizes, several times.
void propagateOrientation(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          DeviceSurfels& surfels);

} // namespace scanloupe::cuda
