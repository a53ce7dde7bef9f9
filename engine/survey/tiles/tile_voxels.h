#pragma once
// Declares the attribute values of a tile's voxels, the selection of its own voxels, and the values of its
// vertices.
#include "engine/survey/tiles/tile_cloud.h"
#include "engine/survey/tiles/tile_plan.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <optional>

namespace scanloupe {

/// Averages over the voxels of a grid, on the host.
struct VoxelValues {
    Buffer<float> means;         ///< [F, V] means of attributes other than classes, relative to the minimum
                                 ///< of their range
    Buffer<std::uint32_t> modes; ///< [C, V] most frequent class, as an index into classesOf()
};

/// Averages the attributes of points in each voxel. The result of a voxel does not depend on points outside
/// of it. @param grid on the backend of `on`, with VoxelGrid::pointVoxel @throws KernelError; Cancelled
VoxelValues voxelValues(const TileCloud& points, const SurveyAttributes& attributes, const VoxelGrid& grid,
                        const Execution& on);

/// The voxels that a tile owns.
struct OwnVoxels {
    std::uint64_t points = 0, voxels = 0;
    std::optional<VoxelGrid> grid; ///< on the host, if requested; see TileSurface::grid
};
/// Selects the voxels in a box of cells. @param grid on the backend of `on` @throws Cancelled
OwnVoxels ownVoxels(const VoxelGrid& grid, const VoxelValues& values, const IndexBox& cells, bool withGrid,
                    const Execution& on);

/// Assigns values to vertices, from the voxel that contains the vertex or the nearest one. @param mesh, grid
/// on the backend of `on` @throws KernelError; Cancelled
VertexValues vertexValues(const TriangleMesh& mesh, const VoxelGrid& grid, const VoxelValues& values,
                          const SurveyAttributes& attributes, const Execution& on);

} // namespace scanloupe
