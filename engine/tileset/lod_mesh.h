#pragma once
// Declares the content of octree nodes: the surface itself in the leaves, and above them the surface with its
// vertices clustered by cells (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering
// complex scenes", 1993).
#include "engine/tileset/lod_grid.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Keys of the three corners of a triangle, the smallest one first.
using LodTriangle = std::array<std::uint64_t, 3>;

/// The triangle starting with its smallest corner, with the same orientation.
LodTriangle fromLeastCorner(const LodTriangle& triangle);

/// The mesh of a node: its own vertices, also those that only neighbours use, then those of neighbours.
struct NodeMesh {
    TriangleMesh mesh;
    std::vector<std::uint32_t> colours; ///< [vertices] RGBA; of a surface without colours all 0
    std::uint64_t ownVertices = 0;
};

/// A vertex of the surface itself. Its key consists of its brick's key and its index within the brick.
struct LeafVertex {
    static constexpr int kNumberBits = 11; ///< a brick has at most 3 * 512 vertices

    std::uint64_t key = 0;
    Vec3f position, normal;
    std::uint32_t colour = 0; ///< RGBA
};

/// A leaf's content from tiles: its own vertices, and those of neighbours that its triangles use.
struct LeafMesh {
    std::vector<LeafVertex> vertices;   ///< those of two tiles occur twice, with the same bytes
    std::vector<LodTriangle> triangles; ///< triangles of the bricks in the leaf

    /// Builds the mesh, in an order that depends on the surface alone; triangles with missing corners are
    /// left out. Consumes the content.
    NodeMesh finish(const LodGrid& grid, const LodNode& node);
};

/// The vertices of the surface in a cell: integer sums, which don't depend on their order.
struct CellSum {
    std::uint64_t key = 0;                  ///< LodGrid::cellKey
    std::array<std::int64_t, 3> position{}; ///< 2^-12 of a lattice cell, from the lattice's first node
    std::array<std::int64_t, 3> normal{};   ///< 2^-12
    std::array<std::uint64_t, 3> colour{};  ///< red, green, blue: 0 to 255 each
    std::uint64_t count = 0;

    CellSum& operator+=(const CellSum& other);
};

/// The sums of one vertex.
CellSum cellSum(const LodGrid& grid, std::uint64_t key, Vec3f position, Vec3f normal, std::uint32_t colour);

/// The content of a node above the leaves.
struct ClusterMesh {
    std::vector<CellSum> cells;         ///< cells of the node, ascending and unique after compact()
    std::vector<LodTriangle> triangles; ///< triangles of its bricks; corners may be in neighbours' cells

    /// Merges the sums of each cell, and removes duplicate triangles.
    void compact();
    /// Adds a child's content, clustered by the cells of the next level.
    void addChild(const LodGrid& grid, const ClusterMesh& child);
};

/// The clustered meshes of a node and of the 26 around it; null where there is none.
using ClusterNeighbours = std::array<const ClusterMesh*, 27>;

/// The mesh of a node above the leaves, with an apron of the neighbours' triangles: it extends beyond the
/// node's border by more than the displacement of clustering, so that no gap opens next to a neighbour of
/// another level.
/// @param around by neighbourSlot()
NodeMesh clusteredMesh(const LodGrid& grid, const LodNode& node, const ClusterNeighbours& around);

} // namespace scanloupe
