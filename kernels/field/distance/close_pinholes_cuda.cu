// Closes pinholes in the surface of a signed distance on the device. The CPU removes all cells where the
// surface would end, round after round. Here, a thread that has removed cells immediately continues with
// their neighbours. Both produce the same result: the largest consistent set of cells, which does not depend
// on the order of removal.
#include "kernels/field/distance/cuda_distance_cells.cuh"

namespace scanloupe::cuda {

namespace {

/// Words that other threads change concurrently; reads bypass the L1 cache.
struct SharedWords {
    std::uint64_t* words;

    __device__ std::uint64_t operator[](std::size_t i) const { return __ldcg(words + i); }
};

struct PinholeView {
    BricksView bricks;
    const std::uint64_t* known;  ///< [B, 8] nodes that have a value
    const std::uint64_t* inside; ///< [B, 8] nodes that are inside
    const std::uint64_t* cells;  ///< [B, 8] cells that contain surface even without closing pinholes
    SharedWords closed;          ///< [B, 8] the cells of `cells`, and the added cells
};

/// Adds those candidate cells that the surface crosses; all other candidates would be removed immediately.
__global__ void addCandidateCells(PinholeView view) {
    const Slice slice(view.bricks);
    if (!slice.isThere(view.bricks))
        return;
    const std::uint64_t cells = view.cells[slice.word];
    std::uint64_t added = all(nodesOfCells(view.known, slice.around, slice.z)) &
                          all(nodesOfCells(view.known, slice.around, slice.z + 1)) & ~cells;
    if (added != 0)
        added &= surfaceEnds(crossedFaces(view.inside, slice.around, slice.z), {}).crossed;
    view.closed.words[slice.word] = cells | added;
}

/// A stack of slices that a thread still has to process.
class SliceStack {
public:
    __device__ bool empty() const { return m_size == 0; }
    __device__ std::size_t pop() { return m_words[--m_size]; }
    /// Pushes a slice. Returns false if the stack is full.
    __device__ bool push(std::size_t word) {
        if (m_size == kCapacity)
            return false;
        m_words[m_size++] = word;
        return true;
    }

private:
    static constexpr int kCapacity = 32;
    std::size_t m_words[kCapacity];
    int m_size = 0;
};

/// Removes those added cells of a slice where the surface would end, repeatedly, since removing a cell may
/// affect others of the slice. Returns the removed cells.
__device__ std::uint64_t removeOpenCells(const PinholeView& view, std::size_t word) {
    const std::size_t brick = word / kBrickEdge;
    const int z = static_cast<int>(word % kBrickEdge);
    const std::uint32_t* around = view.bricks.around + brick * kNeighbours;
    std::uint64_t added = view.closed[word] & ~view.cells[word], removed = 0;
    if (added == 0)
        return 0;
    const CellFaces crossed = crossedFaces(view.inside, around, z);
    for (;;) {
        const std::uint64_t more = added & surfaceEnds(crossed, faceNeighbours(view.closed, around, z)).open;
        if (more == 0)
            return removed;
        atomicAnd(reinterpret_cast<Count*>(view.closed.words + word), static_cast<Count>(~more));
        removed |= more;
        added &= ~more;
    }
}

/// Pushes the neighbour of a slice if it has added cells. Sets `unfinished` if the stack is full.
__device__ void pushNeighbour(const PinholeView& view, std::size_t word, int dx, int dy, int dz,
                              SliceStack& stack, std::uint32_t* unfinished) {
    const int z = static_cast<int>(word % kBrickEdge) + dz;
    const int over = z < 0 ? -1 : z >= kBrickEdge ? 1 : 0;
    const std::uint32_t brick =
        view.bricks.around[word / kBrickEdge * kNeighbours + neighbourSlot(dx, dy, over)];
    if (brick == kNoBrick)
        return;
    const std::size_t other =
        std::size_t{brick} * kBrickEdge + static_cast<std::size_t>(z & (kBrickEdge - 1));
    if ((view.closed[other] & ~view.cells[other]) != 0 && !stack.push(other))
        atomicExch(unfinished, 1u);
}

__global__ void removeOpenCellsKernel(PinholeView view, std::uint32_t* unfinished) {
    const Slice slice(view.bricks);
    if (!slice.isThere(view.bricks))
        return;
    SliceStack stack;
    stack.push(slice.word);
    while (!stack.empty()) {
        const std::size_t word = stack.pop();
        const std::uint64_t removed = removeOpenCells(view, word);
        if (removed == 0)
            continue;
        pushNeighbour(view, word, 0, 0, -1, stack, unfinished);
        pushNeighbour(view, word, 0, 0, 1, stack, unfinished);
        if (removed & bits::kFirstColumn)
            pushNeighbour(view, word, -1, 0, 0, stack, unfinished);
        if (removed & bits::kLastColumn)
            pushNeighbour(view, word, 1, 0, 0, stack, unfinished);
        if (removed & bits::rows(0, 1))
            pushNeighbour(view, word, 0, -1, 0, stack, unfinished);
        if (removed & bits::rows(kBrickEdge - 1, kBrickEdge))
            pushNeighbour(view, word, 0, 1, 0, stack, unfinished);
    }
}

PinholeView view(const BricksView& bricks, const FieldCells& cells, const NodeBits& nodes,
                 Buffer<std::uint64_t>& closed) {
    return {bricks, nodes.known.data(), nodes.inside.data(), cells.cells.data(), {closed.data()}};
}

/// Removes cells without points at the rim of the surface, in one pass.
__global__ void trimOpenCells(PinholeView view, const std::uint64_t* occupied, KeptView kept,
                              std::uint64_t* cellMask) {
    const Slice slice(view.bricks);
    if (!slice.isThere(view.bricks) || !kept.has(slice.brick))
        return;
    std::uint64_t cells = view.closed[slice.word];
    const std::uint64_t empty = cells & ~occupied[slice.word];
    if (empty != 0)
        cells &= ~(empty & surfaceEnds(crossedFaces(view.inside, slice.around, slice.z),
                                       faceNeighbours(view.closed, slice.around, slice.z))
                               .open);
    cellMask[kept.place(slice.brick) * kBrickEdge + static_cast<std::size_t>(slice.z)] = cells;
}

} // namespace

Buffer<std::uint64_t> pinholeCandidates(const FieldJob& job, const BricksView& bricks,
                                        const FieldCells& cells, const NodeBits& nodes) {
    auto closed = job.buffer<std::uint64_t>(bricks.count * kBrickEdge);
    launch("addCandidateCells", closed.size(), job.stream, addCandidateCells,
           view(bricks, cells, nodes, closed));
    return closed;
}

void closePinholes(const FieldJob& job, const BricksView& bricks, const FieldCells& cells,
                   const NodeBits& nodes, Buffer<std::uint64_t>& closed, FieldCounters* counters,
                   std::uint64_t* cellMask) {
    const PinholeView all = view(bricks, cells, nodes, closed);
    launch("removeOpenCellsKernel", closed.size(), job.stream, removeOpenCellsKernel, all,
           &counters->unfinished);
    launch("trimOpenCells", closed.size(), job.stream, trimOpenCells, all, cells.occupied.data(),
           cells.kept(), cellMask);
}

} // namespace scanloupe::cuda
