#pragma once
// Estimates the memory of each stage before it begins.
#include "engine/results/kernel_points.h"
#include "engine/stages/run_context.h"
#include "kernels/core/execution.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/core/triangle_mesh.h"

namespace scanloupe {

/// Each function throws EngineError if the stage would not fit: the memory needed, the memory available, and
/// the voxel size or picture size that would fit.
/// Memory of voxelizing `points` points, and of the attributes that the recipe looks at.
void requireVoxelizeMemory(const RunContext& run, std::uint64_t points, const VoxelizeParams& params);
/// Memory of the coordinates of so many points for kernels of the host.
void requireHostPointsMemory(const RunContext& run, std::uint64_t points);
void requireFieldMemory(const RunContext& run, const VoxelGrid& voxels, std::uint64_t bricks);
/// The bricks of a field that fit into the memory of the host, beside the field that they are made of.
std::uint64_t mostBricks(const RunContext& run);
/// Memory of a surface on the host. @throws by SYCL DeviceMemoryShort, so that the host tries with less
void requireExtractMemory(const RunContext& run, const ScalarField& field, const Execution& on);
void requireCleanMemory(const RunContext& run, const TriangleMesh& mesh);
/// Memory of a nearest-neighbour search among `points` points.
void requireDistanceMemory(const RunContext& run, std::uint64_t points);
/// Memory of the quality measures of a mesh, with distances of `points` points.
void requireQualityMemory(const RunContext& run, const TriangleMesh& mesh, std::uint64_t points);
/// Memory of a copy of `bytes` from the device.
void requireDownloadMemory(const RunContext& run, std::uint64_t bytes);
/// Memory of a picture with `samples` samples a pixel.
void requirePictureMemory(const RunContext& run, int samples);

} // namespace scanloupe
