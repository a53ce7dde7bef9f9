#pragma once
// Declares the part of a surface that belongs to a tile.
#include "engine/tiles/tile_cloud.h"
#include "engine/tiles/tile_plan.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {

/// The surface of a tile's bricks, with values from the points.
struct TileSurface : SurfacePart {
    std::uint64_t points = 0, voxels = 0; ///< counts in the tile's own voxels
    VertexValues values;                  ///< values of all vertices of the mesh
    /// The tile's own voxels, on the host: for attributes that are no classes, means relative to their
    /// range's minimum; for classes, modes. Only on request.
    std::optional<VoxelGrid> grid;
};

/// Computes the surface of a tile on the backend of `on`. @param points exactly those that it needs, see
/// TilePlan::tilesOfCells @param withVoxels also returns TileSurface::grid @throws KernelError; Cancelled.
TileSurface tileSurface(const TileCloud& points, const TilePlan& plan, std::size_t tile, bool withVoxels,
                        const Execution& on);

/// The checksum of a surface: that of its bricks' digests, ascending by key. @param bricks in any order
Sha256Digest surfaceDigest(std::vector<PartBrick> bricks);

} // namespace scanloupe
