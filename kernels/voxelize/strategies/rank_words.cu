// Launches the kernels that rank the words of a bitmap and list its keys.
#include "kernels/voxelize/strategies/cuda_rank_words.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize)
    rankTiles(Bitmap bits, RankWord* ranks, std::size_t words, std::uint64_t* keys, std::size_t limit,
              Counts* counts) {
    triggerDependentLaunch();
    syncGridDependency();
    rankTile<kBlockSize, kWordsPerThread>(bits, ranks, words, keys, limit, counts);
}

__global__ void listAllWords(const RankWord* ranks, std::size_t words, std::uint64_t* keys,
                             std::size_t limit) {
    const std::size_t word = globalIndex();
    const RankWord mine = word < words ? ranks[word] : RankWord{0, 0};
    listWords(mine.bits, mine.base, word, keys, limit);
}

} // namespace

void rankWords(const Bitmap& bits, RankWord* ranks, std::size_t words, std::uint64_t* keys, std::size_t limit,
               Counts* counts, StreamView stream) {
    launchDependent("rankTiles", words / kWordsPerThread, stream, rankTiles, bits, ranks, words, keys, limit,
                    counts);
}

void listKeys(const RankWord* ranks, std::size_t words, std::uint64_t* keys, std::size_t limit,
              StreamView stream) {
    launch("listAllWords", words, stream, listAllWords, ranks, words, keys, limit);
}

} // namespace scanloupe::cuda
