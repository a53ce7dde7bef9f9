#pragma once
// Declares what a tile has of the voxels: averages of the points' values, the voxels that it owns, and what
// vertices get from voxels.
#include "engine/tiles/tile_cloud.h"
#include "engine/tiles/tile_plan.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <optional>

namespace scanloupe {

/// Averages over the voxels of a grid, on the host.
struct VoxelValues {
    Buffer<float> means;         ///< [F, V] of the attributes that are no classes, relative to the minimum of
                                 ///< their range
    Buffer<std::uint32_t> modes; ///< [C, V] of the others: numbers of classes, see classesOf()
};

/// The averages of the points' values. They don't depend on the points of other voxels.
/// @param grid lies where `on` computes, with VoxelGrid::pointVoxel @throws KernelError; Cancelled
VoxelValues voxelValues(const TileCloud& points, const SurveyAttributes& attributes, const VoxelGrid& grid,
                        const Execution& on);

/// The voxels in some cells.
struct OwnVoxels {
    std::uint64_t points = 0, voxels = 0;
    std::optional<VoxelGrid> grid; ///< on the host, if it is wanted; see TileSurface::grid
};
/// @param grid lies where `on` computes @throws Cancelled
OwnVoxels ownVoxels(const VoxelGrid& grid, const VoxelValues& values, const IndexBox& cells, bool withGrid,
                    const Execution& on);

/// What vertices get from the voxels that they lie in, or from the nearest ones.
/// @param mesh, grid lie where `on` computes @throws KernelError; Cancelled
VertexValues vertexValues(const TriangleMesh& mesh, const VoxelGrid& grid, const VoxelValues& values,
                          const SurveyAttributes& attributes, const Execution& on);

} // namespace scanloupe
