// Finds occupied cells on the CPU with a hash table of their keys (strategy `hash`), like published
// voxelizers. The keys are sorted afterwards.
#include "kernels/voxelize/core/occupied_voxels.h"
#include "kernels/voxelize/strategies/key_hash_table.h"

#include <atomic>
#include <bit>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kHashGrain = std::size_t{1} << 14; // number of voxels per chunk

class HashedVoxels final : public OccupiedVoxels {
public:
    explicit HashedVoxels(const VoxelizeJob& job) {
        // Assumes eight points per voxel; if the capacity is too small, the insertion fails early.
        std::size_t capacity = std::bit_ceil(std::max<std::size_t>(job.points.count / 8, 1024));
        while (!insertAll(job, capacity))
            capacity *= 4;
        job.steps.end("insert");
        m_sorted = m_table->sorted(int(std::bit_width(job.cells.shape.cellCount() - 1)), job.stop);
        m_ranks = Buffer<std::uint32_t>::host(capacity);
        parallelFor(m_sorted.size(), kHashGrain, job.stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t rank = begin; rank < end; ++rank)
                m_ranks[m_sorted[rank].index] = static_cast<std::uint32_t>(rank);
        });
    }

    std::size_t count() const override { return m_sorted.size(); }

    void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const override {
        parallelFor(keys.size(), kHashGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t rank = begin; rank < end; ++rank)
                keys[rank] = m_sorted[rank].key;
        });
    }

    void rank(const PointBlock& block, std::uint32_t* ranks) const override {
        std::uint64_t last = kNoKey; // key of the previous point: neighbouring points often share a cell
        std::uint32_t lastRank = kNoVoxel;
        for (std::size_t i = 0; i < block.size; ++i) {
            if (block.key[i] != last) {
                last = block.key[i];
                lastRank = last == kNoKey ? kNoVoxel : m_ranks[m_table->find(last)];
            }
            ranks[i] = lastRank;
        }
    }

private:
    /// Inserts the keys of all points into a new table. @returns false if the table is too small
    bool insertAll(const VoxelizeJob& job, std::size_t capacity) {
        m_table.reset(); // frees the memory of the previous table first
        m_table = std::make_unique<KeyHashTable>(capacity, job.stop);
        std::atomic<bool> full{false};
        job.forEachBlock([&](const PointBlock& block) {
            if (full.load(std::memory_order_relaxed))
                return;
            std::uint64_t last = kNoKey;
            for (std::size_t i = 0; i < block.size; ++i) {
                if (block.key[i] == last || block.key[i] == kNoKey)
                    continue;
                last = block.key[i];
                if (m_table->insert(last) == KeyHashTable::kFull)
                    full.store(true, std::memory_order_relaxed);
            }
        });
        return !full;
    }

    std::unique_ptr<KeyHashTable> m_table;
    Buffer<KeyIndex> m_sorted;     // [V] keys and slots, ascending by key
    Buffer<std::uint32_t> m_ranks; // [slots] rank of the key of each slot
};

} // namespace

std::unique_ptr<OccupiedVoxels> findByHash(const VoxelizeJob& job) {
    return std::make_unique<HashedVoxels>(job);
}

} // namespace scanloupe::cpu
