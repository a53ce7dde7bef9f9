#pragma once
// Declares the content of octree nodes. Leaves have the surface itself. Nodes above have the surface with its
// vertices clustered by cells (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering
// complex scenes", 1993).
#include "engine/survey/tileset/lod_grid.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Keys of a triangle's three corners, the smallest key first.
using LodTriangle = std::array<std::uint64_t, 3>;

/// Rotates a triangle so that its smallest corner is first. The orientation stays the same.
LodTriangle fromLeastCorner(const LodTriangle& triangle);

/// The mesh of a node. Its own vertices come first, including those that only neighbours use, followed by
/// vertices of neighbours.
struct NodeMesh {
    TriangleMesh mesh;
    std::vector<std::uint32_t> colours; ///< [vertices] RGBA; all 0 without colours
    std::uint64_t ownVertices = 0;
};

/// A vertex of the surface itself. Its key consists of its brick's key and its index within the brick.
struct LeafVertex {
    static constexpr int kNumberBits = 11; ///< a brick has at most 3 * 512 vertices

    std::uint64_t key = 0;
    Vec3f position, normal;
    std::uint32_t colour = 0; ///< RGBA
};

/// The content of a leaf from tiles: its own vertices, and vertices of neighbours that its triangles use.
struct LeafMesh {
    std::vector<LeafVertex> vertices;   ///< vertices shared by two tiles occur twice, with identical bytes
    std::vector<LodTriangle> triangles; ///< triangles of the bricks in the leaf

    /// Builds the mesh. The order of its vertices and triangles depends only on the surface. Triangles with
    /// missing corners are left out. Moves the content out of this object.
    NodeMesh finish(const LodGrid& grid, const LodNode& node);
};

/// Sums over the surface's vertices in a cell. Integers are used so that the result does not depend on the
/// order of summation.
struct CellSum {
    std::uint64_t key = 0;                  ///< LodGrid::cellKey
    std::array<std::int64_t, 3> position{}; ///< units of 2^-12 lattice cells, from the lattice's first node
    std::array<std::int64_t, 3> normal{};   ///< units of 2^-12
    std::array<std::uint64_t, 3> colour{};  ///< sums of red, green, blue; 0 to 255 per vertex
    std::uint64_t count = 0;

    CellSum& operator+=(const CellSum& other);
};

/// Returns the sums for a single vertex.
CellSum cellSum(const LodGrid& grid, std::uint64_t key, Vec3f position, Vec3f normal, std::uint32_t colour);

/// The content of a node above the leaves.
struct ClusterMesh {
    std::vector<CellSum> cells;         ///< cells of the node; in ascending order and unique after compact()
    std::vector<LodTriangle> triangles; ///< triangles of the node's bricks; corners may be in cells of
                                        ///< neighbours

    /// Merges the sums with equal cells, and removes duplicate triangles.
    void compact();
    /// Adds the content of a child, clustered by the cells of this node's level.
    void addChild(const LodGrid& grid, const ClusterMesh& child);
};

/// The clustered meshes of a node and its 26 neighbours; null if a neighbour has none.
using ClusterNeighbours = std::array<const ClusterMesh*, 27>;

/// Builds the mesh of a node above the leaves, including an apron of triangles of its neighbours. The apron
/// extends beyond the node's border by more than clustering displaces vertices, so that no gap opens next to
/// a neighbour of another level.
/// @param around indexed by neighbourSlot()
NodeMesh clusteredMesh(const LodGrid& grid, const LodNode& node, const ClusterNeighbours& around);

} // namespace scanloupe
