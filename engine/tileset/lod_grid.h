#pragma once
// Declares the octree of levels of detail over a field's lattice.
#include "kernels/field/core/scalar_field.h"

#include <compare>
#include <cstdint>

namespace scanloupe {

/// A node of the octree. Level 0 are the leaves.
struct LodNode {
    int level = 0;
    Vec3i place; ///< index in nodes of its level

    LodNode parent() const { return {level + 1, {place.x >> 1, place.y >> 1, place.z >> 1}}; }
    std::strong_ordering operator<=>(const LodNode& other) const {
        if (const auto order = level <=> other.level; order != 0)
            return order;
        if (const auto order = place.z <=> other.place.z; order != 0)
            return order;
        if (const auto order = place.y <=> other.place.y; order != 0)
            return order;
        return place.x <=> other.place.x;
    }
    bool operator==(const LodNode&) const = default;
};

/// Cells of level k are cubes of 2^k lattice cells along each axis, from the lattice's first node on; a node
/// has the same number of cells on every level. So nodes and cells depend on the lattice alone, and not on
/// the tiles that a job computes.
class LodGrid {
public:
    /// @param leafBricks bricks along each axis of a leaf, a power of two
    LodGrid(const LatticeShape& lattice, int leafBricks);

    const LatticeShape& lattice() const { return m_lattice; }
    Vec3i brickDims() const { return m_brickDims; }
    int levels() const { return m_levels; }               ///< the last one has one node
    int cellsPerNode() const { return 1 << m_nodeShift; } ///< along each axis

    /// The node of a brick.
    LodNode nodeOfBrick(Vec3i brick, int level) const;
    LodNode nodeOfCell(Vec3i cell, int level) const;
    /// The range of bricks of a node: the first one, and the one past the last.
    Vec3i firstBrick(const LodNode& node) const;
    Vec3i endBrick(const LodNode& node) const;

    /// The lattice cell of a vertex that a brick owns: within the brick, also where rounding has put the
    /// vertex onto its upper border.
    Vec3i latticeCell(Vec3f position, Vec3i brick) const;
    /// A number of a cell, unique within its level.
    std::uint64_t cellKey(Vec3i cell) const;
    Vec3i cellOf(std::uint64_t key) const;

private:
    LatticeShape m_lattice;
    Vec3i m_brickDims;
    int m_leafShift = 0; ///< log2 of the bricks along a leaf
    int m_nodeShift = 0; ///< log2 of the cells along a node
    int m_levels = 1;
};

} // namespace scanloupe
