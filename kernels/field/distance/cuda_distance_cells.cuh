#pragma once
// Selects the cells that may contain surface of a signed distance, on the device. Works like
// distance_cells.h, but indexes all bricks within reach of voxels, including bricks without such cells.
#include "kernels/field/core/cuda_field.cuh"
#include "kernels/field/distance/distance_bits.h"
#include "kernels/voxelize/strategies/cuda_rank_words.cuh"

namespace scanloupe::cuda {

/// The slice of a brick that a thread processes.
struct Slice {
    std::size_t word; ///< index into arrays of shape [B, 8]
    std::size_t brick;
    int z;
    const std::uint32_t* around;

    __device__ explicit Slice(const BricksView& bricks)
        : word(globalIndex()), brick(word / kBrickEdge), z(static_cast<int>(word % kBrickEdge)),
          around(bricks.around + brick * kNeighbours) {}
    __device__ bool isThere(const BricksView& bricks) const { return brick < bricks.count; }
    __device__ std::uint64_t inGrid(const BricksView& bricks, Vec3i gridDims) const {
        return bits::before(gridDims - bricks.firstNode(brick), z);
    }
};

/// The bricks that are kept for the field, and their indices in it.
struct KeptView {
    const RankWord* ranks;

    __device__ bool has(std::size_t brick) const { return ranks[brick / 32].bits >> brick % 32 & 1u; }
    __device__ std::size_t place(std::size_t brick) const { return ranks[brick / 32].rank(brick % 32); }
};

struct FieldCells {
    Buffer<std::uint64_t> cells;    ///< [B, 8] cells that may contain surface
    Buffer<std::uint64_t> occupied; ///< [B, 8] the cells of `cells` that contain points
    Buffer<std::uint64_t> nodes; ///< [B, 8] corner nodes of these cells, and of cells that closePinholes may
                                 ///< add
    Buffer<RankWord> ranks;

    KeptView kept() const { return {ranks.data()}; }
};

/// Same as cpu::distanceCells; `counters` receives the number of kept bricks. Asynchronous.
FieldCells findCells(const FieldJob& job, const BricksView& bricks, FieldCounters* counters);

/// Two bits per node: whether it has a value, and whether it is inside.
struct NodeBits {
    Buffer<std::uint64_t> known, inside; ///< [B, 8] each
};
/// Returns the cells with surface, and all candidate cells that closePinholes may add: [B, 8]. Asynchronous.
Buffer<std::uint64_t> pinholeCandidates(const FieldJob& job, const BricksView& bricks,
                                        const FieldCells& cells, const NodeBits& nodes);
/// Same as cpu::closePinholes: reads `closed`, the result of pinholeCandidates, and writes `cellMask` [kept
/// bricks, 8]. Asynchronous. The result is incomplete if `unfinished` of `counters` is set afterwards: then
/// reset it to 0 and call again.
void closePinholes(const FieldJob& job, const BricksView& bricks, const FieldCells& cells,
                   const NodeBits& nodes, Buffer<std::uint64_t>& closed, FieldCounters* counters,
                   std::uint64_t* cellMask);
/// Same as cpu::removeReversedCells, for `cellMask` [kept bricks, 8]. `normals`: [V]; `values`: [kept bricks,
/// 512]. Asynchronous.
void removeReversedCells(const FieldJob& job, const BricksView& bricks, const FieldCells& cells,
                         const NodeBits& nodes, const float4* normals, const float* values,
                         std::uint64_t* cellMask);

} // namespace scanloupe::cuda
