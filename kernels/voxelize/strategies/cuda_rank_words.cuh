#pragma once
// Ranks the bits of an occupancy bitmap. A bit's rank is the number of set bits before it (Jacobson, 1989).
// If the words are in key order, the rank is the voxel's index in key order, without any sort. Takes a single
// pass: each tile of words publishes its sum, then waits for the sums of all preceding tiles and adds them
// up. The work is quadratic in the number of tiles, which is negligible for the largest bitmap (4578 tiles).
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

/// The bits of 32 cells, and the number of set bits in all preceding words: one 8-byte load ranks a point.
struct alignas(8) RankWord {
    std::uint32_t bits, base;

    __device__ std::uint32_t rank(unsigned bit) const {
        return base + static_cast<std::uint32_t>(__popc(bits & ((1u << bit) - 1)));
    }
};

inline constexpr unsigned kWordsPerThread = 8;
inline constexpr unsigned kTileWords = kBlockSize * kWordsPerThread;

HD inline std::size_t tiles(std::size_t words) {
    return (words + kTileWords - 1) / kTileWords;
}

/// Occupancy bits, padded to whole tiles.
struct Bitmap {
    std::uint32_t* words = nullptr;    ///< [tiles * kTileWords] initially zero
    std::uint32_t* tileSums = nullptr; ///< [tiles] number of set bits of the tile, plus 1; 0 until it is
                                       ///< known

    /// Sets a bit unless it is already set: most points find their bit set, and a read is cheaper than an
    /// atomic operation. The first read may hit the L1 cache, which may miss recently set bits but never
    /// contains wrong ones; the second reads the L2 cache, which is coherent.
    __device__ void set(std::size_t word, unsigned bit) const {
        const std::uint32_t mask = 1u << bit;
        std::uint32_t* at = words + word;
        if (!(*at & mask) && !(__ldcg(at) & mask))
            atomicOr(at, mask);
    }
};

/// Writes the keys of the set bits of a warp's words, one word per lane, at those of their ranks that are
/// below `limit`. The whole warp processes one word after another, since a lane alone would take long if all
/// cells are occupied. Must be called by all threads of the warp.
__device__ inline void listWords(std::uint32_t bits, std::uint32_t base, std::size_t word,
                                 std::uint64_t* keys, std::size_t limit) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned left = __ballot_sync(kFullWarp, bits != 0); left != 0; left &= left - 1) {
        const int from = __ffs(static_cast<int>(left)) - 1;
        const RankWord theirs{__shfl_sync(kFullWarp, bits, from), __shfl_sync(kFullWarp, base, from)};
        const std::uint64_t first = __shfl_sync(kFullWarp, static_cast<Count>(word), from) * 32;
        if (theirs.bits >> lane & 1u && theirs.rank(lane) < limit)
            keys[theirs.rank(lane)] = first + lane;
    }
}

/// Computes an inclusive prefix sum over the block; `all` receives the total. Must be called by all threads.
template <unsigned Threads>
__device__ std::uint32_t inclusiveBlockSum(std::uint32_t value, std::uint32_t& all) {
    __shared__ std::uint32_t warpSums[Threads / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const std::uint32_t left = __shfl_up_sync(kFullWarp, value, lanes);
        if (lane >= lanes)
            value += left;
    }
    __syncthreads(); // all threads have read the sums of the previous call
    if (lane == 31)
        warpSums[warp] = value;
    __syncthreads();
    const std::uint32_t mine = lane < Threads / 32 ? warpSums[lane] : 0;
    all = warpSum(mine);
    return value + warpSum(lane < warp ? mine : 0);
}

/// Publishes `mine`, the number of set bits of this block's tile. Must be called by all threads of the block,
/// and blocks must start in the order of their indices. @returns the sum of all preceding tiles
template <unsigned Threads>
__device__ std::uint32_t sumOfPrecedingTiles(std::uint32_t* tileSums, std::uint32_t mine) {
    volatile std::uint32_t* sums = tileSums;
    std::uint32_t before = 0;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = mine + 1;
    for (unsigned tile = threadIdx.x; tile < blockIdx.x; tile += Threads) {
        std::uint32_t sum = 0; // preceding blocks have started, so the following wait ends
        while ((sum = sums[tile]) == 0) {
        }
        before += sum - 1;
    }
    static_cast<void>(inclusiveBlockSum<Threads>(before, before));
    return before;
}

/// Ranks tile `blockIdx.x` of Threads * Words words, and clears its bits for the next use. Must be called by
/// all threads of the block, and blocks must start in the order of their indices.
template <unsigned Threads, unsigned Words>
__device__ void rankTile(const Bitmap& bits, RankWord* ranks, std::size_t count, std::uint64_t* keys,
                         std::size_t limit, Counts* counts) {
    static_assert(Words % 4 == 0 && Threads / 32 <= 32);
    const std::size_t first = globalIndex() * Words;
    std::uint32_t words[Words] = {}, mine = 0, before = 0, all = 0;
    auto* wide = reinterpret_cast<uint4*>(bits.words + first);
#pragma unroll
    for (unsigned i = 0; i < Words / 4 && first < count; ++i) {
        const uint4 four = __ldcg(wide + i); // bypasses the L1 cache, since atomic operations write to the L2
                                             // cache
        words[4 * i] = four.x, words[4 * i + 1] = four.y, words[4 * i + 2] = four.z,
                  words[4 * i + 3] = four.w;
    }
#pragma unroll
    for (unsigned i = 0; i < Words; ++i)
        mine += static_cast<std::uint32_t>(__popc(words[i]));
    std::uint32_t base = inclusiveBlockSum<Threads>(mine, all) - mine;
    before = sumOfPrecedingTiles<Threads>(bits.tileSums, all);
    base += before;
    if (first < count && first + Words >= count) { // this thread processes the last word
        *counts = Counts{};
        counts->voxels = base + mine;
    }
    auto* out = reinterpret_cast<uint4*>(ranks + first);
#pragma unroll
    for (unsigned i = 0; i < Words; i += 2) {
        const std::uint32_t next = base + static_cast<std::uint32_t>(__popc(words[i]));
        if (first < count)
            out[i / 2] = uint4{words[i], base, words[i + 1], next};
        if (keys) {
            listWords(words[i], base, first + i, keys, limit);
            listWords(words[i + 1], next, first + i + 1, keys, limit);
        }
        base = next + static_cast<std::uint32_t>(__popc(words[i + 1]));
        if (i % 4 == 2 && (words[i - 2] | words[i - 1] | words[i] | words[i + 1]))
            wide[i / 4] = uint4{0, 0, 0, 0};
    }
}

/// Ranks `words` words (whole tiles), and clears them for the next use.
/// @param ranks [words]
/// @param keys null, or gets the first `limit` keys: 32 * word + bit
/// @param counts receives the number of voxels; its other counts are set to zero
void rankWords(const Bitmap& bits, RankWord* ranks, std::size_t words, std::uint64_t* keys, std::size_t limit,
               Counts* counts, StreamView stream);

/// Writes the keys of all set bits at those of their ranks that are below `limit`.
void listKeys(const RankWord* ranks, std::size_t words, std::uint64_t* keys, std::size_t limit,
              StreamView stream);

} // namespace scanloupe::cuda
