#pragma once
// Declares the part of a surface that belongs to a tile.
#include "engine/io/common/sha256.h"
#include "engine/tiles/tile_cloud.h"
#include "engine/tiles/tile_plan.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_bricks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {

/// What a brick has of the surface: the same for tiles of any size.
struct TileBrick {
    std::uint64_t key = 0; ///< as ScalarField::brickKeys of the whole survey
    std::uint32_t vertices = 0, triangles = 0;
    /// Of the key, the vertices (positions, normals, colours, channel by channel), and the triangles: each
    /// corner as the vertex's number within its brick, with the brick's offset, 0 or 1 along x, y and z, in
    /// the bits above.
    Sha256Digest digest{};
};

/// A vertex that a brick of a neighbouring tile owns: its number within that brick.
struct SeamVertex {
    std::uint64_t brick = 0;
    std::uint32_t number = 0;
    bool operator==(const SeamVertex&) const = default;
};

/// The vertices and triangles of a tile's bricks.
struct TileSurface {
    std::uint64_t points = 0, voxels = 0; ///< in the tile's own voxels
    TriangleMesh mesh;                    ///< on the host: its own vertices, then those of neighbours
    VertexValues values;                  ///< of all vertices of the mesh
    std::uint64_t ownVertices = 0;
    std::vector<TileBrick> bricks; ///< ascending; their vertices and triangles follow each other in the mesh
    std::vector<SeamVertex> seams; ///< of the vertices behind its own
    /// The tile's own voxels, on the host: means of attributes that are no classes relative to their range's
    /// minimum, and modes of the others. Only where they are wanted.
    std::optional<VoxelGrid> grid;
};

/// Computes the surface of a tile where `on` says.
/// @param points that it needs, see TilePlan::tilesOfCells, and no others
/// @param withVoxels TileSurface::grid is wanted @throws KernelError; Cancelled.
TileSurface tileSurface(const TileCloud& points, const TilePlan& plan, std::size_t tile, bool withVoxels,
                        const Execution& on);

/// The part of a whole surface that some bricks own. @param values of its vertices @throws Cancelled
TileSurface partOf(const BrickedSurface& surface, const VertexValues& values, Vec3i brickDims,
                   const IndexBox& bricks, const std::stop_token& stop);

/// The checksum of a surface: that of its bricks' digests, ascending by key. @param bricks in any order
Sha256Digest surfaceDigest(std::vector<TileBrick> bricks);

} // namespace scanloupe
