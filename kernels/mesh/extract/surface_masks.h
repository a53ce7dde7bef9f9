#pragma once
// Declares the first step of marching cubes on the CPU, which classifies nodes as inside, cells as active,
// and edges as crossed.
#include "kernels/core/buffer.h"
#include "kernels/field/core/brick_slices.h"
#include "kernels/field/core/scalar_field.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Crossed edges that a brick owns: for each of x, y and z, bit x + 8 y of word z.
using EdgeMasks = std::array<std::array<std::uint64_t, kBrickEdge>, 3>;

/// Masks of all bricks, and the counts of each brick's output.
struct SurfaceMasks {
    Buffer<std::uint64_t> inside;    ///< [B, 8] bit x + 8 y of word z: the node is inside
    Buffer<std::uint64_t> known;     ///< [B, 8] the node has a sample
    Buffer<std::uint64_t> active;    ///< [B, 8] the cell contains surface
    Buffer<EdgeMasks> edges;         ///< [B] crossed edges of active cells; valid if `vertices` is not 0
    Buffer<std::uint32_t> vertices;  ///< [B] number of vertices that the brick owns, one per crossed edge
    Buffer<std::uint32_t> triangles; ///< [B] number of triangles
    std::uint64_t activeCells = 0;
};

/// The cases of a brick's cells, computed from the inside bits of the brick and its neighbours.
class CellCases {
public:
    /// @param neighbours [27] indices of the brick and the bricks around it
    CellCases(const Buffer<std::uint64_t>& inside, const std::uint32_t* neighbours);
    /// Returns the case of the cell at bit x + 8 y of slice z, see cube_tables.h.
    unsigned at(int z, int bit) const { return fourOf(z, bit) | fourOf(z + 1, bit) << 4; }
    /// Returns the cells of slice z whose corners are neither all inside nor all outside.
    std::uint64_t mixed(int z) const;

private:
    unsigned fourOf(int z, int bit) const {
        const auto& slice = m_slices[static_cast<std::size_t>(z)];
        return static_cast<unsigned>((slice[0] >> bit & 1) | (slice[1] >> bit & 1) << 1 |
                                     (slice[2] >> bit & 1) << 2 | (slice[3] >> bit & 1) << 3);
    }
    // inside bits of the corners (0, 0), (1, 0), (0, 1), (1, 1) of each cell, per slice of nodes
    std::array<std::array<std::uint64_t, 4>, kBrickEdge + 1> m_slices;
};

namespace cpu {
class SurfaceMemory;

/// Classifies all bricks. Reuses the masks of unchanged bricks of an earlier surface. @param neighbours [B,
/// 27], see findNeighbours()
/// @throws KernelError; Cancelled
SurfaceMasks classify(const ScalarField& field, float iso, std::span<const std::uint32_t> neighbours,
                      const SurfaceMemory& memory, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
