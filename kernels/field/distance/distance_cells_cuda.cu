// Selects the cells that may contain surface of a signed distance, on the device. One thread processes a
// slice of a brick, 64 cells at a time, as on the CPU.
#include "kernels/field/distance/cuda_distance_cells.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void fillCells(BricksView bricks, Vec3i gridDims, std::uint64_t* cells,
                          std::uint64_t* withPoints) {
    const Slice slice(bricks);
    if (!slice.isThere(bricks))
        return;
    const Neighbours9 below = neighbours9(bricks.occupied, slice.around, slice.z - 1),
                      here = neighbours9(bricks.occupied, slice.around, slice.z),
                      above = neighbours9(bricks.occupied, slice.around, slice.z + 1);
    const std::uint64_t inGrid = slice.inGrid(bricks, gridDims);
    cells[slice.word] = cellsOfVoxels(below, here, above) & inGrid;
    withPoints[slice.word] = here[4] & inGrid;
}

__global__ void addPinholeCandidates(BricksView bricks, Vec3i gridDims, const std::uint64_t* cells,
                                     std::uint64_t* more) {
    const Slice slice(bricks);
    if (slice.isThere(bricks))
        more[slice.word] =
            withPinholeCandidates(cells, slice.around, slice.z) & slice.inGrid(bricks, gridDims);
}

/// Computes the corner nodes of cells. @param cells cells with surface, and candidates that closePinholes may
/// add
/// @param kept one bit per brick: set if the brick has nodes
__global__ void fillNodes(BricksView bricks, const std::uint64_t* cells, std::uint64_t* nodes,
                          std::uint32_t* kept) {
    static_assert(kBlockSize == 32 * kBrickEdge); // each block processes the 32 bricks of one word of `kept`
    __shared__ std::uint32_t word;
    if (threadIdx.x == 0)
        word = 0;
    __syncthreads();
    const Slice slice(bricks);
    if (slice.isThere(bricks)) {
        const std::uint64_t corners = any(cellsOfNodes(cells, slice.around, slice.z - 1)) |
                                      any(cellsOfNodes(cells, slice.around, slice.z));
        nodes[slice.word] = corners;
        if (corners != 0)
            atomicOr(&word, 1u << slice.brick % 32);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        kept[blockIdx.x] = word;
}

} // namespace

FieldCells findCells(const FieldJob& job, const BricksView& bricks, FieldCounters* counters) {
    const std::size_t slices = bricks.count * kBrickEdge,
                      words = tiles((bricks.count + 31) / 32) * kTileWords;
    const Vec3i gridDims = job.voxels.shape.dims;
    FieldCells cells{job.buffer<std::uint64_t>(slices), job.buffer<std::uint64_t>(slices),
                     job.buffer<std::uint64_t>(slices), job.buffer<RankWord>(words)};
    launch("fillCells", slices, job.stream, fillCells, bricks, gridDims, cells.cells.data(),
           cells.occupied.data());
    auto more = job.buffer<std::uint64_t>(slices);
    launch("addPinholeCandidates", slices, job.stream, addPinholeCandidates, bricks, gridDims,
           cells.cells.data(), more.data());
    auto kept = job.zeros<std::uint32_t>(words + tiles(words));
    launch("fillNodes", slices, job.stream, fillNodes, bricks, more.data(), cells.nodes.data(), kept.data());
    rankWords({kept.data(), kept.data() + words}, cells.ranks.data(), words, nullptr, 0, &counters->kept,
              job.stream);
    job.throwIfStopped();
    return cells;
}

} // namespace scanloupe::cuda
