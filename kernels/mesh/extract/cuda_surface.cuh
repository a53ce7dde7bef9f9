#pragma once
// Declares the data that the kernels of marching cubes share. A brick has 512 nodes; its bits are 8 words of
// 64 or 16 of 32, in the order of the nodes.
#include "kernels/core/cuda_check.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/extract/surface_element.h"

#include <cstdint>

namespace scanloupe::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffu;
using Word = std::uint64_t;          ///< a slice of a brick
using LongWord = unsigned long long; ///< the same, in the type of shuffles and atomics
static_assert(sizeof(Word) == sizeof(LongWord));

/// Flags: the kinds of nodes of a brick.
enum BrickSigns : std::uint8_t { kSomeInside = 1, kSomeOutside = 2, kSomeUnknown = 4 };

/// The bricks of a field, and their neighbours.
struct BrickGrid {
    const std::uint64_t* keys;       ///< [B]
    const std::uint32_t* neighbours; ///< [B, 27]; null for a dense field, where they follow from positions
    std::uint32_t count;             ///< B
    Vec3i dims;                      ///< bricks along x, y, z

    __device__ Vec3i place(std::uint32_t brick) const {
        if (neighbours)
            return brickOf(keys[brick], dims);
        const auto nx = static_cast<std::uint32_t>(dims.x), ny = static_cast<std::uint32_t>(dims.y);
        const std::uint32_t row = brick / nx, layer = row / ny;
        return {static_cast<int>(brick - row * nx), static_cast<int>(row - layer * ny),
                static_cast<int>(layer)};
    }
    /// The brick at (dx, dy, dz), each -1, 0 or 1, from `brick`, or kNoBrick. `at`: place(brick), used for
    /// dense fields only.
    __device__ std::uint32_t neighbour(std::uint32_t brick, Vec3i at, int dx, int dy, int dz) const {
        if (neighbours)
            return neighbours[brick * kNeighbours + neighbourSlot(dx, dy, dz)];
        const int x = at.x + dx, y = at.y + dy, z = at.z + dz;
        if (x < 0 || y < 0 || z < 0 || x >= dims.x || y >= dims.y || z >= dims.z)
            return kNoBrick;
        return static_cast<std::uint32_t>((z * dims.y + y) * dims.x + x);
    }
};

/// Counts of the output of one brick.
struct alignas(8) BrickCounts {
    std::uint16_t vertices, triangles, cells, unused;
};
/// Sums of the counts of bricks.
struct SurfaceSums {
    LongWord vertices, triangles, bricks, cells;
};
/// Results that the host reads.
struct SurfaceCounts {
    SurfaceSums sums;
    LongWord zeroArea;
    LongWord zeroAreaCandidates; ///< bricks in which a triangle may have no area
};

/// A brick that carries surface.
struct alignas(16) BrickEntry {
    std::uint32_t brick, firstVertex;
    LongWord firstTriangle;
    Vec3i place; ///< in bricks
    std::int32_t unused;
};

/// Rows of a slice whose vertices need samples of adjacent bricks: bit y.
struct SideRows {
    std::uint8_t low;  ///< rows that need the sample at x = -1
    std::uint8_t high; ///< rows that need the samples at x = 8 and 9
};

/// 32 edges along one axis: bits of the crossed ones, and the number of the brick's vertices before them.
struct alignas(8) HalfSlice {
    std::uint32_t bits, before;
};
inline constexpr unsigned kHalfSlices = 48; ///< [axis, z, half] of a brick

/// State of the single-pass scan over tiles of bricks.
struct ScanTiles {
    std::uint32_t* states;          ///< [tiles] 0 at the start of the scan
    SurfaceSums* aggregates;        ///< [tiles] sum of the tile
    SurfaceSums* inclusivePrefixes; ///< [tiles] sum of the tile and all previous ones
};
inline constexpr unsigned kScanBlock = 256, kScanItems = 4, kScanTile = kScanBlock * kScanItems;

/// All inputs and outputs of the kernels, allocated before the first one starts.
struct SurfaceWork {
    BrickGrid bricks;
    const float* values;  ///< [B, 512]
    const Word* cellMask; ///< [B, 8]
    const float* iso;     ///< [1] on the device, so that a recorded graph serves every iso-value
    LatticeShape lattice;
    bool insideBelow;
    float zeroAreaReach; ///< see the function of this name
    SlopeScale slopes;
    const float* noSamples; ///< [512] NaN

    // `inside`, `edges` and `firstVertex` have one more brick, which represents missing ones
    std::uint32_t* inside; ///< [B + 1, 16] the node is inside
    std::uint32_t* known;  ///< [B, 16] the node has a sample; set only for bricks with kSomeUnknown
    std::uint8_t* signs;   ///< [B] BrickSigns
    std::uint32_t* isZeroAreaCandidate; ///< [B / 4] a byte a brick; 1: a triangle may have no area
    std::uint32_t* zeroAreaCandidates;  ///< [B] those bricks, in any order
    HalfSlice* edges;           ///< [B + 1, 48] set for bricks that carry surface, like the arrays below
    Word* active;               ///< [B, 8] the cell carries surface
    SideRows* sides;            ///< [B, 8]
    std::uint32_t* firstVertex; ///< [B + 1]
    LongWord* firstTriangle;    ///< [B] set for bricks that carry surface
    BrickCounts* counts;        ///< [B]
    BrickEntry* list;           ///< [B] the bricks that carry surface, ascending
    ScanTiles tiles;
    SurfaceCounts* totals;         ///< [1]
    SurfaceCounts* hostTotals;     ///< [1] receives the totals at the end, in host memory; or null
    std::uint32_t* finishedBlocks; ///< [1] finished blocks of the last kernel; 0 between launches

    float* positions;       ///< [vertexCapacity, 3]
    float* normals;         ///< [vertexCapacity, 3]
    std::uint32_t* indices; ///< [triangleCapacity, 3]
    std::uint64_t vertexCapacity, triangleCapacity;

    /// Whether the mesh fits into its memory; otherwise nothing is written.
    __device__ bool fits() const {
        return totals->sums.vertices <= vertexCapacity && totals->sums.triangles <= triangleCapacity;
    }
};

/// Step 1 (classify): signs of nodes, then the counts of each brick. The steps are asynchronous.
void queueClassify(const SurfaceWork& work, StreamView stream);
/// Step 2 (scan): offsets of each tile's vertices and triangles, and their totals.
void queueScan(const SurfaceWork& work, StreamView stream);
/// Step 3 (compact): lists the bricks that carry surface.
void queueCompact(const SurfaceWork& work, StreamView stream);
/// Steps 2 and 3 in one kernel.
void queueScanAndCompact(const SurfaceWork& work, StreamView stream);
/// Step 4 (generate): vertices and triangles; then counts the triangles without area. At most `maxBricks`
/// bricks carry surface.
void queueGenerate(const SurfaceWork& work, std::uint64_t maxBricks, StreamView stream);

} // namespace scanloupe::cuda
