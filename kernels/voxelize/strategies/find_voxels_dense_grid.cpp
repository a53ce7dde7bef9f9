// Finds occupied cells on the CPU with a dense grid (strategy `dense-grid`): a 32-bit number per cell, which
// is first a mark of occupied cells, then their rank.
#include "kernels/voxelize/core/occupied_voxels.h"

#include <atomic>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kDenseGridGrain = std::size_t{1} << 20; // number of cells per chunk

class DenseGrid final : public OccupiedVoxels {
public:
    explicit DenseGrid(const VoxelizeJob& job)
        : m_ranks(Buffer<std::uint32_t>::host(job.cells.shape.cellCount())) {
        parallelFor(m_ranks.size(), kDenseGridGrain, job.stop, [&](std::size_t begin, std::size_t end) {
            std::fill(m_ranks.data() + begin, m_ranks.data() + end, kNoVoxel);
        });
        job.forEachBlock([&](const PointBlock& block) {
            for (std::size_t i = 0; i < block.size; ++i)
                if (block.key[i] != kNoKey)
                    std::atomic_ref<std::uint32_t>(m_ranks[block.key[i]])
                        .store(kOccupied, std::memory_order_relaxed);
        });
        job.steps.end("insert");
        rankCells(job.stop);
    }

    std::size_t count() const override { return m_count; }

    void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const override {
        parallelFor(m_ranks.size(), kDenseGridGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t cell = begin; cell < end; ++cell)
                if (m_ranks[cell] < keys.size())
                    keys[m_ranks[cell]] = cell;
        });
    }

    void rank(const PointBlock& block, std::uint32_t* ranks) const override {
        for (std::size_t i = 0; i < block.size; ++i)
            ranks[i] = block.key[i] == kNoKey ? kNoVoxel : m_ranks[block.key[i]];
    }

private:
    static constexpr std::uint32_t kOccupied = 0;

    void rankCells(const std::stop_token& stop) {
        std::vector<std::size_t> starts(chunkCount(m_ranks.size(), kDenseGridGrain));
        parallelChunks(m_ranks.size(), kDenseGridGrain, stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           starts[chunk] = static_cast<std::size_t>(
                               std::count(m_ranks.data() + begin, m_ranks.data() + end, kOccupied));
                       });
        m_count = exclusiveScan(std::span(starts));
        parallelChunks(m_ranks.size(), kDenseGridGrain, stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           auto next = static_cast<std::uint32_t>(starts[chunk]);
                           for (std::size_t cell = begin; cell < end; ++cell)
                               if (m_ranks[cell] == kOccupied)
                                   m_ranks[cell] = next++;
                       });
    }

    Buffer<std::uint32_t> m_ranks; // [cells] mark, later rank, of each cell
    std::size_t m_count = 0;
};

} // namespace

std::unique_ptr<OccupiedVoxels> findByDenseGrid(const VoxelizeJob& job) {
    return std::make_unique<DenseGrid>(job);
}

} // namespace scanloupe::cpu
