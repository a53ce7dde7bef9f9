#pragma once
// Declares the computation of surfels, a tangent plane per voxel, on the device.
#include "kernels/field/core/cuda_field.cuh"

namespace scanloupe::cuda {

/// Per-voxel data for gathering, packed so that one load reads all data of a voxel.
struct DeviceSurfels {
    Buffer<float4> points;  ///< [V] mean (xyz, metres) and its confidence (w)
    Buffer<float4> normals; ///< [V] normal (xyz); w is 1 if the orientation is known
};

/// Same as cpu::makeSurfels, but leaves normals without a known orientation unoriented; `counters` receives
/// their number. Asynchronous.
DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          const NormalSource& source, FieldCounters* counters);

/// Same as cpu::propagateOrientation. @note Synchronizes several times.
void propagateOrientation(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          DeviceSurfels& surfels);

} // namespace scanloupe::cuda
