// Implements the kernels that voxelize a frame by bitmap rank in preallocated memory.
#include "tests/bench/variants/cuda_frame.cuh"

namespace scanloupe::cuda {

namespace {

/// Ranks points by their cell: sums lie at their cells, so that nothing has to be known about other points.
struct CellRanker {
    static constexpr bool kMarksOccupancy = true;
    Bitmap bits;

    __device__ std::uint32_t rank(const DeviceCells& cells, Vec3i cell, std::size_t, bool) const {
        return cells.shortKey(cell);
    }
    /// The bitmap's word that contains the cell's bit.
    __device__ std::uint32_t peek(std::uint32_t cell) const { return __ldcg(bits.words + cell / 32); }
    __device__ void mark(std::uint32_t cell, std::uint32_t peeked) const {
        if (!(peeked >> cell % 32 & 1u))
            atomicOr(bits.words + cell / 32, 1u << cell % 32);
    }
};

/// Position of the set bit that has `before` set bits below it (select).
__device__ unsigned selectBit(std::uint32_t bits, unsigned before) {
    unsigned place = 0;
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
        const auto low = static_cast<unsigned>(__popc(bits & ((1u << width) - 1)));
        if (before >= low) {
            before -= low;
            bits >>= width;
            place += width;
        }
    }
    return place;
}

/// Converts the sums of a tile's cells to means, and clears them for the next frame. A tile has `Words` words
/// per thread.
template <unsigned Words>
__global__ void __launch_bounds__(kBlockSize) finishCells(FrameArgs args) {
    constexpr unsigned tileWords = Words * kBlockSize;
    __shared__ uint2 ranks[tileWords]; // bits and base of each word
    const std::size_t firstWord = std::size_t{blockIdx.x} * tileWords;
    syncGridDependency();
    if (globalIndex() == 0) { // counted by the kernel that summed the points
        Counts& counting = args.counts[1];
        args.counts->notFinite = counting.notFinite;
        args.counts->featuresNotFinite = counting.featuresNotFinite;
        args.counts->notSummed = counting.notSummed;
        counting = Counts{};
    }
    if (globalIndex() < tiles(args.words))
        args.bits.tileSums[globalIndex()] = 0;
    bool any = false;
#pragma unroll
    for (unsigned i = threadIdx.x; i < tileWords; i += kBlockSize) { // the bitmap is padded to larger tiles
        const RankWord word = args.ranks[firstWord + i];
        ranks[i] = {word.bits, word.base};
        any = any || word.bits != 0;
    }
    if (!__syncthreads_or(any))
        return;
    const std::uint32_t base = ranks[0].y;
    const uint2 last = ranks[tileWords - 1];
    const std::uint32_t count = last.y + static_cast<std::uint32_t>(__popc(last.x)) - base;
    std::uint32_t averaged = 0;
    for (std::uint32_t i = threadIdx.x; i < count; i += kBlockSize) {
        const std::uint32_t voxel = base + i;
        unsigned word = 0; // becomes the last word whose base is not above the voxel
#pragma unroll
        for (unsigned step = tileWords / 2; step > 0; step /= 2)
            word += ranks[word + step].y <= voxel ? step : 0;
        const std::size_t cell = (firstWord + word) * 32 + selectBit(ranks[word].x, voxel - ranks[word].y);
        const VoxelSum sum = args.sums.read(cell);
        args.sums.clear(cell);
        averaged += sum.count;
        if (voxel >= args.limit)
            continue;
        args.out.keys[voxel] = cell;
        finishVoxel(args.sums, sum, args.cells.cells, args.out, voxel, cell);
    }
    countInBlock(&args.counts->averaged, averaged);
}

template <int K>
__global__ void __launch_bounds__(kBlockSize) mapPoints(PointsIn in, DeviceCells cells, BitmapRanker ranker,
                                                        std::uint32_t limit, std::uint32_t* pointVoxel) {
    const std::size_t index = globalIndex();
    const PointKeys<std::uint32_t, K> keys(cells, loadPoints<K>(in.positions, in.count, index));
    syncGridDependency();
#pragma unroll
    for (int k = 0; k < K; ++k) {
        const std::size_t point = index * K + static_cast<unsigned>(k);
        if (point >= in.count)
            break;
        const std::uint32_t rank =
            keys.keys[k] == keys.kNone ? kNoVoxel : ranker.rank(cells, keys.cells[k], point, true);
        pointVoxel[point] = rank < limit ? rank : kNoVoxel;
    }
}

/// Tiles from which on larger ones are used: of very many small ones most would be empty.
constexpr std::size_t kManyTiles = 4096;

} // namespace

void voxelizeByCells(const FrameArgs& args, StreamView stream) {
    sumPoints(args.in, args.cells.cells, CellRanker{args.bits}, args.sums, kNoVoxel, nullptr, args.counts + 1,
              stream);
    rankWords(args.bits, args.ranks, args.words, nullptr, 0, args.counts, stream);
    if (args.words <= kManyTiles * kBlockSize)
        launchDependent("finishCells", args.words, stream, finishCells<1>, args);
    else
        launchDependent("finishCells", args.words / 4, stream, finishCells<4>, args);
    if (args.pointVoxel)
        withPointsPerThread(args.in.count, [&](auto perThread) {
            launchDependent("mapPoints", threadsFor(args.in.count, perThread), stream,
                            mapPoints<decltype(perThread)::value>, args.in, args.cells,
                            BitmapRanker{{}, args.ranks}, args.limit, args.pointVoxel);
        });
}

void voxelizeByRanks(const FrameArgs& args, StreamView stream) {
    const VoxelCells& cells = args.cells.cells;
    setBits(args.in, cells, args.bits, stream);
    rankWords(args.bits, args.ranks, args.words, args.out.keys, args.limit, args.counts, stream);
    sumPoints(args.in, cells, BitmapRanker{{}, args.ranks}, args.sums, args.limit, args.pointVoxel,
              args.counts, stream);
    finishVoxels(args.sums, nullptr, args.limit, cells, args.out, args.counts, stream, args.bits.tileSums,
                 tiles(args.words));
}

} // namespace scanloupe::cuda
