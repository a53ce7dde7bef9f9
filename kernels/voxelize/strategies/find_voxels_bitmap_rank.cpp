// Finds occupied cells on the CPU with a bitmap (strategy `bitmap-rank`). A cell's rank is the number of set
// bits in all preceding words, which is stored, plus the number of set bits below its own in its word
// (Jacobson, 1989).
#include "kernels/voxelize/core/occupied_voxels.h"

#include <atomic>
#include <bit>

namespace scanloupe::cpu {

namespace {

/// The bits of 32 cells and their first rank: one 8-byte load ranks a point.
struct Word {
    std::uint32_t bits;
    std::uint32_t before; // number of set bits in all preceding words
};
constexpr std::uint64_t kCellsPerWord = 32;
constexpr std::size_t kBitmapRankGrain = std::size_t{1} << 16; // number of words per chunk

std::uint32_t popCount(std::uint32_t bits) {
    // replaces std::popcount, which is a function call unless the build targets processors that have the
    // instruction
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

class Bitmap final : public OccupiedVoxels {
public:
    explicit Bitmap(const VoxelizeJob& job)
        : m_words(Buffer<Word>::host((job.cells.shape.cellCount() + kCellsPerWord - 1) / kCellsPerWord)) {
        parallelFor(m_words.size(), kBitmapRankGrain, job.stop, [&](std::size_t begin, std::size_t end) {
            std::fill(m_words.data() + begin, m_words.data() + end, Word{0, 0});
        });
        job.forEachBlock([&](const PointBlock& block) { setBitsOf(block); });
        job.steps.end("insert");
        scanWords(job.stop);
    }

    std::size_t count() const override { return m_count; }

    void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const override {
        parallelFor(m_words.size(), kBitmapRankGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t w = begin; w < end; ++w) {
                std::size_t rank = m_words[w].before;
                for (std::uint32_t bits = m_words[w].bits; bits != 0 && rank < keys.size(); bits &= bits - 1)
                    keys[rank++] = w * kCellsPerWord + std::uint64_t(std::countr_zero(bits));
            }
        });
    }

    void rank(const PointBlock& block, std::uint32_t* ranks) const override {
        for (std::size_t i = 0; i < block.size; ++i) {
            const std::uint64_t key = block.key[i];
            const bool inside = key != kNoKey;
            const Word word = m_words[inside ? key / kCellsPerWord : 0];
            const std::uint32_t below = word.bits & ((1u << key % kCellsPerWord) - 1);
            ranks[i] = inside ? word.before + popCount(below) : kNoVoxel;
        }
    }

private:
    void setBitsOf(const PointBlock& block) {
        std::uint64_t last = kNoKey; // key of the previous point: neighbouring points often share a cell
        for (std::size_t i = 0; i < block.size; ++i) {
            const std::uint64_t key = block.key[i];
            if (key == last || key == kNoKey)
                continue;
            last = key;
            const std::uint32_t bit = 1u << key % kCellsPerWord;
            const std::atomic_ref<std::uint32_t> bits(m_words[key / kCellsPerWord].bits);
            if ((bits.load(std::memory_order_relaxed) & bit) == 0) // a load is far cheaper than fetch_or
                bits.fetch_or(bit, std::memory_order_relaxed);
        }
    }

    void scanWords(const std::stop_token& stop) {
        std::vector<std::size_t> starts(chunkCount(m_words.size(), kBitmapRankGrain));
        parallelChunks(m_words.size(), kBitmapRankGrain, stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           std::size_t here = 0;
                           for (std::size_t w = begin; w < end; ++w)
                               here += popCount(m_words[w].bits);
                           starts[chunk] = here;
                       });
        m_count = exclusiveScan(std::span(starts));
        parallelChunks(m_words.size(), kBitmapRankGrain, stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           auto before = static_cast<std::uint32_t>(starts[chunk]);
                           for (std::size_t w = begin; w < end; ++w) {
                               m_words[w].before = before;
                               before += popCount(m_words[w].bits);
                           }
                       });
    }

    Buffer<Word> m_words;
    std::size_t m_count = 0;
};

} // namespace

std::unique_ptr<OccupiedVoxels> findByBitmapRank(const VoxelizeJob& job) {
    return std::make_unique<Bitmap>(job);
}

} // namespace scanloupe::cpu
