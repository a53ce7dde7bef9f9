#pragma once
// Declares surfels, a tangent plane for each voxel, on the device.
#include "kernels/field/core/cuda_field.cuh"

namespace scanloupe::cuda {

/// Data of each voxel that gathering reads, in one load each.
struct DeviceSurfels {
    Buffer<float4> points;  ///< [V] mean x, y, z in metres, and its confidence
    Buffer<float4> normals; ///< [V] x, y, z, and 1 where the orientation is known
};

/// As cpu::makeSurfels, but normals without a known orientation are not oriented yet: `counters` counts them.
/// Asynchronous.
DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          const NormalSource& source, FieldCounters* counters);

/// As cpu::propagateOrientation. @note Synchronizes, several times.
void propagateOrientation(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          DeviceSurfels& surfels);

} // namespace scanloupe::cuda
