// Finds occupied cells on the CPU by a stable radix sort of the points' keys (strategy `radix-sort`), so that
// the points of a voxel keep their input order.
#include "kernels/voxelize/core/occupied_voxels.h"

#include <bit>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kRadixSortGrain = std::size_t{1} << 14;

template <class Item>
class Sorting {
public:
    explicit Sorting(const VoxelizeJob& job) : m_job(job) {
        auto scratch = Buffer<Item>::host(job.points.count);
        collect(scratch);
        const auto keyBits = static_cast<int>(std::bit_width(job.cells.shape.cellCount() - 1));
        parallelSortByKey(m_items.span(), scratch.span(), keyBits, job.stop);
        job.steps.end("insert");
    }

    /// Writes the rank of each point in range. @returns the keys of the voxels
    Buffer<std::uint64_t> rankPoints(Buffer<std::uint32_t>& ranks) const {
        const std::vector<Start> starts = findStarts();
        auto keys = Buffer<std::uint64_t>::host(starts.back().voxels);
        parallelChunks(m_items.size(), kRadixSortGrain, m_job.stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           Start at = starts[chunk];
                           for (std::size_t i = begin; i < end; ++i) {
                               if (beginsVoxel(i)) {
                                   at = {at.voxels + 1, i};
                                   keys[at.voxels - 1] = m_items[i].key;
                               }
                               ranks[m_items[i].index] = rankAt(i, at);
                           }
                       });
        return keys;
    }

private:
    /// State of a scan over the sorted items before a position: the number of voxels that begin there or
    /// earlier, and the first item of the last of these voxels.
    struct Start {
        std::size_t voxels = 0;
        std::size_t item = 0;
    };

    /// Collects an item per point in range, in input order. @param scratch must have space for all points
    void collect(Buffer<Item>& scratch) {
        const std::size_t n = m_job.points.count, grain = m_job.grain();
        std::vector<std::size_t> starts(chunkCount(n, grain));
        parallelChunks(n, grain, m_job.stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            Item* out = scratch.data() + begin;
            m_job.forEachBlock(begin, end, [&](const PointBlock& block) {
                for (std::size_t i = 0; i < block.size; ++i)
                    if (block.key[i] != kNoKey)
                        *out++ = {static_cast<decltype(Item::key)>(block.key[i]),
                                  static_cast<decltype(Item::index)>(block.begin + i)};
            });
            starts[chunk] = static_cast<std::size_t>(out - (scratch.data() + begin));
        });
        const std::size_t kept = exclusiveScan(std::span(starts));
        m_items = Buffer<Item>::host(kept);
        parallelChunks(n, grain, m_job.stop, [&](std::size_t chunk, std::size_t begin, std::size_t) {
            const std::size_t end = chunk + 1 < starts.size() ? starts[chunk + 1] : kept;
            std::copy_n(scratch.data() + begin, end - starts[chunk], m_items.data() + starts[chunk]);
        });
    }

    bool beginsVoxel(std::size_t i) const { return i == 0 || m_items[i].key != m_items[i - 1].key; }

    /// Returns the state of the scan at the start of each chunk, and at the end, [chunks + 1].
    std::vector<Start> findStarts() const {
        std::vector<Start> starts(chunkCount(m_items.size(), kRadixSortGrain) + 1);
        parallelChunks(m_items.size(), kRadixSortGrain, m_job.stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           Start found;
                           for (std::size_t i = begin; i < end; ++i)
                               if (beginsVoxel(i))
                                   found = {found.voxels + 1, i};
                           starts[chunk + 1] = found;
                       });
        for (std::size_t chunk = 1; chunk < starts.size(); ++chunk) {
            if (starts[chunk].voxels == 0)
                starts[chunk].item = starts[chunk - 1].item;
            starts[chunk].voxels += starts[chunk - 1].voxels;
        }
        return starts;
    }

    /// Returns the rank of item i, or kPastPointLimit for points in excess of maxPointsPerVoxel. In a voxel
    /// in excess of maxVoxels, which is dropped as a whole, all points get its rank.
    std::uint32_t rankAt(std::size_t i, Start voxel) const {
        const std::size_t rank = voxel.voxels - 1, points = m_job.params.maxPointsPerVoxel,
                          voxels = m_job.params.maxVoxels;
        const bool leftOut = points != 0 && i - voxel.item >= points && (voxels == 0 || rank < voxels);
        return leftOut ? kPastPointLimit : static_cast<std::uint32_t>(rank);
    }

    const VoxelizeJob& m_job;
    Buffer<Item> m_items; // items of the points in range, stably sorted by key
};

class SortedVoxels final : public OccupiedVoxels {
public:
    explicit SortedVoxels(const VoxelizeJob& job) : m_ranks(Buffer<std::uint32_t>::host(job.points.count)) {
        if (job.cells.shape.cellCount() <= std::uint64_t{1} << 32)
            m_keys = Sorting<KeyIndex32>(job).rankPoints(m_ranks);
        else
            m_keys = Sorting<KeyIndex>(job).rankPoints(m_ranks);
    }

    std::size_t count() const override { return m_keys.size(); }

    void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const override {
        parallelFor(keys.size(), kRadixSortGrain, stop, [&](std::size_t begin, std::size_t end) {
            std::copy_n(m_keys.data() + begin, end - begin, keys.data() + begin);
        });
    }

    void rank(const PointBlock& block, std::uint32_t* ranks) const override {
        for (std::size_t i = 0; i < block.size; ++i) // only points in range have a rank
            ranks[i] = block.key[i] == kNoKey ? kNoVoxel : m_ranks[block.begin + i];
    }

private:
    Buffer<std::uint32_t> m_ranks; // [N] rank of the voxel of each point
    Buffer<std::uint64_t> m_keys;  // [V] keys of the voxels
};

} // namespace

std::unique_ptr<OccupiedVoxels> findByRadixSort(const VoxelizeJob& job) {
    return std::make_unique<SortedVoxels>(job);
}

} // namespace scanloupe::cpu
