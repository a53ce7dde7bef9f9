#pragma once
// Declares the data shared by the kernels of marching cubes. A brick has 512 nodes, stored as 8 words of 64
// bits or 16 words of 32 bits, in the order of the nodes.
#include "kernels/core/cuda_check.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/extract/surface_element.h"

#include <cstdint>

namespace scanloupe::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffu;
using Word = std::uint64_t;          ///< bits of one slice of a brick
using LongWord = unsigned long long; ///< the same bits, in the type that shuffles and atomics need
static_assert(sizeof(Word) == sizeof(LongWord));

/// Flags for the kinds of nodes that occur in a brick.
enum BrickSigns : std::uint8_t { kSomeInside = 1, kSomeOutside = 2, kSomeUnknown = 4 };

/// The bricks of a field and their neighbours.
struct BrickGrid {
    const std::uint64_t* keys;       ///< [B] brick keys
    const std::uint32_t* neighbours; ///< [B, 27]; null for a dense field, where neighbours follow from
                                     ///< positions
    std::uint32_t count;             ///< number B of bricks
    Vec3i dims;                      ///< number of bricks along x, y, z

    __device__ Vec3i place(std::uint32_t brick) const {
        if (neighbours)
            return brickOf(keys[brick], dims);
        const auto nx = static_cast<std::uint32_t>(dims.x), ny = static_cast<std::uint32_t>(dims.y);
        const std::uint32_t row = brick / nx, layer = row / ny;
        return {static_cast<int>(brick - row * nx), static_cast<int>(row - layer * ny),
                static_cast<int>(layer)};
    }
    /// Returns the brick at offset (dx, dy, dz) from `brick`, each -1, 0 or 1, or kNoBrick. @param at
    /// place(brick), used only for dense fields
    __device__ std::uint32_t neighbour(std::uint32_t brick, Vec3i at, int dx, int dy, int dz) const {
        if (neighbours)
            return neighbours[brick * kNeighbours + neighbourSlot(dx, dy, dz)];
        const int x = at.x + dx, y = at.y + dy, z = at.z + dz;
        if (x < 0 || y < 0 || z < 0 || x >= dims.x || y >= dims.y || z >= dims.z)
            return kNoBrick;
        return static_cast<std::uint32_t>((z * dims.y + y) * dims.x + x);
    }
};

/// Number of vertices, triangles and cells of one brick.
struct alignas(8) BrickCounts {
    std::uint16_t vertices, triangles, cells, unused;
};
/// Sums of the counts over bricks.
struct SurfaceSums {
    LongWord vertices, triangles, bricks, cells;
};
/// Results that the host reads back.
struct SurfaceCounts {
    SurfaceSums sums;
    LongWord zeroArea;
    LongWord zeroAreaCandidates; ///< number of bricks that may have a triangle without area
};

/// A brick that contains surface.
struct alignas(16) BrickEntry {
    std::uint32_t brick, firstVertex;
    LongWord firstTriangle;
    Vec3i place; ///< coordinates of the brick, in bricks
    std::int32_t unused;
};

/// Which rows of a slice need samples of adjacent bricks for their vertices: bit y per row.
struct SideRows {
    std::uint8_t low;  ///< rows that need the sample at x = -1
    std::uint8_t high; ///< rows that need the samples at x = 8 and 9
};

/// The crossed edges among 32 edges along one axis, and the number of the brick's vertices that precede them.
struct alignas(8) HalfSlice {
    std::uint32_t bits, before;
};
inline constexpr unsigned kHalfSlices = 48; ///< number of half slices per brick: [axis, z, half]

/// State of the single-pass scan over tiles of bricks.
struct ScanTiles {
    std::uint32_t* states;          ///< [tiles] state of each tile; 0 at the start of the scan
    SurfaceSums* aggregates;        ///< [tiles] sum over the tile
    SurfaceSums* inclusivePrefixes; ///< [tiles] sum over the tile and all previous tiles
};
inline constexpr unsigned kScanBlock = 256, kScanItems = 4, kScanTile = kScanBlock * kScanItems;

/// All inputs and outputs of the kernels. The memory is allocated before the first kernel starts.
struct SurfaceWork {
    BrickGrid bricks;
    const float* values;  ///< [B, 512] samples
    const Word* cellMask; ///< [B, 8] cells that may contain surface
    const float* iso;     ///< [1] in device memory, so that a recorded graph can be used for every iso-value
    LatticeShape lattice;
    bool insideBelow;
    float zeroAreaReach; ///< see zeroAreaReach()
    SlopeScale slopes;
    const float* noSamples; ///< [512] NaN, used as samples of missing bricks

    // arrays of B + 1 bricks have one extra brick at the end, which stands for missing bricks
    std::uint32_t* inside; ///< [B + 1, 16] the node is inside
    std::uint32_t* known;  ///< [B, 16] the node has a sample; only set for bricks with the flag kSomeUnknown
    std::uint8_t* signs;   ///< [B] BrickSigns
    std::uint32_t* isZeroAreaCandidate; ///< [B / 4] one byte per brick: 1 if the brick may have a triangle
                                        ///< without area
    std::uint32_t* zeroAreaCandidates; ///< [B] the bricks that may have a triangle without area, in arbitrary
                                       ///< order
    HalfSlice* edges; ///< [B + 1, 48] crossed edges; like the arrays below, only set for bricks that contain
                      ///< surface
    Word* active;     ///< [B, 8] cells that contain surface
    SideRows* sides;  ///< [B, 8] rows that need samples of adjacent bricks
    std::uint32_t* firstVertex; ///< [B + 1] id of each brick's first vertex
    LongWord* firstTriangle;    ///< [B] index of each brick's first triangle; set for bricks that contain
                                ///< surface
    BrickCounts* counts;        ///< [B] counts of each brick's output
    BrickEntry* list;           ///< [B] the bricks that contain surface, ascending
    ScanTiles tiles;
    SurfaceCounts* totals;         ///< [1] totals of all bricks
    SurfaceCounts* hostTotals;     ///< [1] in host memory; receives the totals at the end; may be null
    std::uint32_t* finishedBlocks; ///< [1] number of finished blocks of the last kernel; 0 between launches

    float* positions;       ///< [vertexCapacity, 3] metres
    float* normals;         ///< [vertexCapacity, 3] unit normals
    std::uint32_t* indices; ///< [triangleCapacity, 3] vertex ids
    std::uint64_t vertexCapacity, triangleCapacity;

    /// Returns whether the mesh fits into the allocated memory; otherwise nothing is written.
    __device__ bool fits() const {
        return totals->sums.vertices <= vertexCapacity && totals->sums.triangles <= triangleCapacity;
    }
};

/// Step 1 (classify): determines the signs of nodes, then counts each brick's output. All steps are
/// asynchronous.
void queueClassify(const SurfaceWork& work, StreamView stream);
/// Step 2 (scan): computes the offsets of each tile's vertices and triangles, and their totals.
void queueScan(const SurfaceWork& work, StreamView stream);
/// Step 3 (compact): lists the bricks that contain surface.
void queueCompact(const SurfaceWork& work, StreamView stream);
/// Performs steps 2 and 3 in one kernel.
void queueScanAndCompact(const SurfaceWork& work, StreamView stream);
/// Step 4 (generate): creates vertices and triangles, then counts the triangles without area. @param
/// maxBricks upper limit of the number of bricks that contain surface
void queueGenerate(const SurfaceWork& work, std::uint64_t maxBricks, StreamView stream);

} // namespace scanloupe::cuda
