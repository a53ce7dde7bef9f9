#pragma once
// Declares the part of a surface that belongs to a tile.
#include "engine/survey/tiles/tile_cloud.h"
#include "engine/survey/tiles/tile_plan.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {

/// The surface of a tile's bricks, with attribute values from the points.
struct TileSurface : SurfacePart {
    std::uint64_t points = 0, voxels = 0; ///< counts of the tile's own voxels and of the points in them
    VertexValues values;                  ///< attribute values of all vertices of the mesh
    /// The tile's own voxels, on the host; only on request. Attributes have their mean relative to the
    /// minimum of their range; classes have the most frequent value.
    std::optional<VoxelGrid> grid;
};

/// Computes the surface of a tile on the backend of `on`. @param points exactly those that the tile requires,
/// see TilePlan::tilesOfCells @param withVoxels whether to return TileSurface::grid @throws KernelError;
/// Cancelled.
TileSurface tileSurface(const TileCloud& points, const TilePlan& plan, std::size_t tile, bool withVoxels,
                        const Execution& on);

/// Returns the checksum of a surface: the SHA-256 of its bricks' digests in ascending order of keys. @param
/// bricks in any order
Sha256Digest surfaceDigest(std::vector<PartBrick> bricks);

} // namespace scanloupe
