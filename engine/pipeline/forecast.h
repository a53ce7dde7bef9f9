#pragma once
// Memory that each stage is about to take, checked before it begins.
#include "engine/pipeline/chain.h"

namespace scanloupe {

/// Each throws EngineError when the stage would not fit: how much it needs, how much there is, and the voxel
/// size or picture size that would fit.
void requireVoxelizeMemory(const RunContext& run, const KernelPoints& of, const VoxelizeParams& params);
void requireFieldMemory(const RunContext& run, const VoxelGrid& voxels, std::uint64_t bricks);
void requireExtractMemory(const RunContext& run, const ScalarField& field);
void requireCleanMemory(const RunContext& run, const TriangleMesh& mesh);
/// Of a search among so many points.
void requireDistanceMemory(const RunContext& run, std::uint64_t points);
/// Of the figures of a mesh, with distances of so many points.
void requireQualityMemory(const RunContext& run, const TriangleMesh& mesh, std::uint64_t points);
/// Of a copy of so many bytes from the device.
void requireDownloadMemory(const RunContext& run, std::uint64_t bytes);
/// Of a picture with so many samples a pixel.
void requirePictureMemory(const RunContext& run, int samples);

} // namespace scanloupe
