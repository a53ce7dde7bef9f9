#pragma once
// Declares a tile's values in voxels: averages of the points' values, its own voxels, and values of vertices.
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

/// The averages of the points' values. They don't depend on the points of other voxels. @param grid on the
/// backend of `on`, with VoxelGrid::pointVoxel @throws KernelError; Cancelled
VoxelValues voxelValues(const TileCloud& points, const SurveyAttributes& attributes, const VoxelGrid& grid,
                        const Execution& on);

/// The voxels in some cells.
struct OwnVoxels {
    std::uint64_t points = 0, voxels = 0;
    std::optional<VoxelGrid> grid; ///< on the host, if requested; see TileSurface::grid
};
/// @param grid on the backend of `on` @throws Cancelled
OwnVoxels ownVoxels(const VoxelGrid& grid, const VoxelValues& values, const IndexBox& cells, bool withGrid,
                    const Execution& on);

/// Values of vertices, from the voxels that contain them or from the nearest ones. @param mesh, grid on the
/// backend of `on` @throws KernelError; Cancelled
VertexValues vertexValues(const TriangleMesh& mesh, const VoxelGrid& grid, const VoxelValues& values,
                          const SurveyAttributes& attributes, const Execution& on);

} // namespace scanloupe
