#pragma once
// Declares the octree of levels of detail over a field's lattice.
#include "kernels/field/core/scalar_field.h"

#include <compare>
#include <cstdint>

namespace scanloupe {

/// A node of the octree. Leaves have level 0.
struct LodNode {
    int level = 0;
    Vec3i place; ///< index of the node along each axis of its level

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

/// The octree. Cells of level k are cubes of 2^k lattice cells along each axis, starting at the lattice's
/// first node. A node has the same number of cells on every level. Nodes and cells therefore depend only on
/// the lattice, and not on the tiles of a job.
class LodGrid {
public:
    /// @param leafBricks number of bricks along each axis of a leaf, a power of two
    LodGrid(const LatticeShape& lattice, int leafBricks);

    const LatticeShape& lattice() const { return m_lattice; }
    Vec3i brickDims() const { return m_brickDims; }
    int levels() const {
        return m_levels;
    }                                                     ///< number of levels; the last one has a single
                                                          ///< node
    int cellsPerNode() const { return 1 << m_nodeShift; } ///< number of cells along each axis of a node

    /// Returns the node that contains a brick.
    LodNode nodeOfBrick(Vec3i brick, int level) const;
    LodNode nodeOfCell(Vec3i cell, int level) const;
    /// Returns the first brick of a node (lastBrick(): the one past the last), along each axis.
    Vec3i firstBrick(const LodNode& node) const;
    Vec3i endBrick(const LodNode& node) const;

    /// Returns the lattice cell of a vertex that a brick owns. The cell is inside the brick even if rounding
    /// has moved the vertex onto the brick's upper border.
    Vec3i latticeCell(Vec3f position, Vec3i brick) const;
    /// Returns a number that identifies a cell among those of its level.
    std::uint64_t cellKey(Vec3i cell) const;
    Vec3i cellOf(std::uint64_t key) const;

private:
    LatticeShape m_lattice;
    Vec3i m_brickDims;
    int m_leafShift = 0; ///< log2 of the number of bricks along a leaf
    int m_nodeShift = 0; ///< log2 of the number of cells along a node
    int m_levels = 1;
};

} // namespace scanloupe
