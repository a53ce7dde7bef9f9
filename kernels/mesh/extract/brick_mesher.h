#pragma once
// Declares the last step of marching cubes on the CPU, one brick at a time: creates the vertices on the
// brick's edges and the triangles of its cells.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_element.h"
#include "kernels/mesh/extract/surface_masks.h"
#include "kernels/mesh/extract/surface_memory.h"

#include <array>
#include <cstdint>
#include <vector>

namespace scanloupe::cpu {

/// A brick that contains surface.
struct ActiveBrick {
    std::uint32_t brick = 0;
    std::uint64_t firstVertex = 0;
    std::uint64_t firstTriangle = 0;
    const EdgeMasks* edges = nullptr;
    /// number of the brick's vertices that precede each word of `edges`
    std::array<std::uint16_t, 3 * kBrickEdge> before{};
};

/// Results of the previous steps, used by all bricks.
struct SurfacePlan {
    const ScalarField& field;
    float iso;
    const SurfaceMasks& masks;
    const Buffer<std::uint32_t>& neighbours;  ///< [B, 27] neighbours of each brick
    const std::vector<ActiveBrick>& bricks;   ///< bricks that contain surface, ascending
    const Buffer<std::uint32_t>& activeIndex; ///< [B] index into `bricks`; kNoBrick if the brick contains no
                                              ///< surface
    const SurfaceMemory& memory;
    std::vector<std::uint8_t>& zeroAreaCandidates; ///< [B] set to 1 if the brick may have a triangle without
                                                   ///< area
    float zeroAreaReach;                           ///< see zeroAreaReach()
};

/// Writes the mesh, brick by brick. Contains 15 KB of tables: create one object per thread and use it for
/// many bricks.
class BrickMesher {
public:
    BrickMesher(const SurfacePlan& plan, TriangleMesh& mesh)
        : m_plan(plan), m_scale(plan.field.lattice.spacing), m_mesh(mesh) {}
    /// Writes the vertices that `active` owns and the triangles of its cells.
    void run(const ActiveBrick& active);

private:
    static constexpr int kSide = kBrickEdge + 3;  ///< nodes -1 to 9, as needed by central differences
    static constexpr int kNodes = kBrickEdge + 1; ///< nodes 0 to 8, where the brick's cells have edges

    void loadValues(const ActiveBrick& active);
    void markZeroAreaCandidates(int axis, Vec3i node);
    void makeVertices(const ActiveBrick& active);
    /// Copies the brick's vertices from the earlier surface.
    void copyVertices(const ActiveBrick& active);
    void copyTriangles(const ActiveBrick& active);
    /// Sets the ids of the vertices that the brick owns.
    void loadIds(const ActiveBrick& active);
    void loadNeighbourIds();
    void makeTriangles(const ActiveBrick& active);
    const float& value(int x, int y, int z) const {
        return m_values[static_cast<std::size_t>(((z + 1) * kSide + y + 1) * kSide + x + 1)];
    }
    std::uint32_t& vertexId(int x, int y, int z, int axis) {
        return m_ids[static_cast<std::size_t>(((z * kNodes + y) * kNodes + x) * 3 + axis)];
    }
    Vec3f gradient(int x, int y, int z) const;

    const SurfacePlan& m_plan;
    SlopeScale m_scale;
    TriangleMesh& m_mesh;
    std::size_t m_brick = 0;
    const std::uint32_t* m_around = nullptr; ///< the brick's 27 neighbours
    Vec3i m_first;                           ///< coordinates of the brick's first node
    std::array<float, kSide * kSide * kSide> m_values;
    /// vertex ids; valid only for crossed edges
    std::array<std::uint32_t, 3 * kNodes * kNodes * kNodes> m_ids;
};

} // namespace scanloupe::cpu
