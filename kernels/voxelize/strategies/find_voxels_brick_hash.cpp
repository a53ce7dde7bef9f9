// Finds occupied cells on the CPU with a hash table of bricks of 8^3 cells with a bit per cell (strategy
// `brick-hash`). A brick has 64 rows of 8 cells along x. The rank of a cell is the stored rank of its row's
// first cell plus the number of set bits below its own in the row.
#include "kernels/voxelize/core/occupied_voxels.h"
#include "kernels/voxelize/strategies/key_hash_table.h"

#include <atomic>
#include <bit>
#include <utility>

namespace scanloupe::cpu {

namespace {

constexpr int kEdgeBits = 3, kEdge = 1 << kEdgeBits;
constexpr std::size_t kBrickGrain = 256;

/// The grid, divided into bricks.
struct BrickGrid {
    std::uint64_t nx, ny, nz;

    explicit BrickGrid(const GridShape& shape)
        : nx(along(shape.dims.x)), ny(along(shape.dims.y)), nz(along(shape.dims.z)) {}
    static std::uint64_t along(std::int32_t cells) {
        return (static_cast<std::uint64_t>(cells) + kEdge - 1) >> kEdgeBits;
    }
    std::uint64_t key(const PointBlock& block, std::size_t i) const {
        const auto brick = [&](std::size_t axis) {
            return static_cast<std::uint64_t>(block.cell[axis][i] >> kEdgeBits);
        };
        return (brick(2) * ny + brick(1)) * nx + brick(0);
    }
    std::uint64_t row(std::uint64_t key) const { return key / nx; }
    std::uint64_t layer(std::uint64_t key) const { return key / nx / ny; }
    int keyBits() const { return int(std::bit_width(nx * ny * nz - 1)); }
};

/// The cells of a brick that share a z coordinate; cell (x, y) has bit 8 y + x.
struct Slice {
    std::uint64_t bits;
    std::array<std::uint32_t, kEdge> ranks; // rank of the first cell of each row

    unsigned row(int y) const { return unsigned(bits >> (kEdge * y)) & 0xffu; }
};

class Bricks final : public OccupiedVoxels {
public:
    explicit Bricks(const VoxelizeJob& job) : m_shape(job.cells.shape), m_grid(m_shape) {
        // Assumes 32 points per brick; if the capacity is too small, the insertion fails early.
        std::size_t capacity = std::bit_ceil(std::max<std::size_t>(job.points.count / 32, 1024));
        while (!insertAll(job, capacity))
            capacity *= 4;
        job.steps.end("insert");
        collectSlices(job.stop);
        rankRows(job.stop);
    }

    std::size_t count() const override { return m_count; }

    void writeKeys(std::span<std::uint64_t> keys, const std::stop_token& stop) const override {
        parallelFor(m_bricks.size(), kBrickGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                const std::uint64_t brick = m_bricks[b].key;
                const Vec3i corner{int(brick % m_grid.nx) * kEdge, int(m_grid.row(brick) % m_grid.ny) * kEdge,
                                   int(m_grid.layer(brick)) * kEdge};
                for (int z = 0; z < kEdge; ++z)
                    for (int y = 0; y < kEdge; ++y)
                        writeRow(slice(b, z), y, corner + Vec3i{0, y, z}, keys);
            }
        });
    }

    void rank(const PointBlock& block, std::uint32_t* ranks) const override {
        std::uint64_t last = kNoKey; // brick of the previous point: neighbouring points mostly share a brick
        std::size_t b = 0;
        for (std::size_t i = 0; i < block.size; ++i) {
            ranks[i] = kNoVoxel;
            if (block.key[i] == kNoKey)
                continue;
            if (const std::uint64_t brick = m_grid.key(block, i); brick != last) {
                last = brick;
                b = m_brickOfSlot[m_table->find(brick)];
            }
            const int x = block.cell[0][i] % kEdge, y = block.cell[1][i] % kEdge;
            const Slice& cells = slice(b, block.cell[2][i] % kEdge);
            ranks[i] = cells.ranks[std::size_t(y)] +
                       unsigned(std::popcount(static_cast<std::uint8_t>(cells.row(y) & ((1u << x) - 1))));
        }
    }

private:
    bool insertAll(const VoxelizeJob& job, std::size_t capacity) {
        m_table.reset(); // frees the memory of the previous table first
        m_bits = {};
        m_table = std::make_unique<KeyHashTable>(capacity, job.stop);
        m_bits = Buffer<std::uint64_t>::host(capacity * kEdge);
        parallelFor(m_bits.size(), std::size_t{1} << 18, job.stop, [&](std::size_t begin, std::size_t end) {
            std::fill(m_bits.data() + begin, m_bits.data() + end, std::uint64_t{0});
        });
        std::atomic<bool> full{false};
        job.forEachBlock([&](const PointBlock& block) {
            if (!full.load(std::memory_order_relaxed) && !insertBlock(block))
                full.store(true, std::memory_order_relaxed);
        });
        return !full;
    }

    bool insertBlock(const PointBlock& block) {
        std::uint64_t last = kNoKey;
        std::size_t slot = 0;
        for (std::size_t i = 0; i < block.size; ++i) {
            if (block.key[i] == kNoKey)
                continue;
            if (const std::uint64_t brick = m_grid.key(block, i); brick != last) {
                last = brick;
                slot = m_table->insert(brick);
                if (slot == KeyHashTable::kFull)
                    return false;
            }
            const auto z = std::size_t(block.cell[2][i] % kEdge);
            const std::uint64_t bit = std::uint64_t{1}
                                      << (block.cell[1][i] % kEdge * kEdge + block.cell[0][i] % kEdge);
            const std::atomic_ref<std::uint64_t> bits(m_bits[slot * kEdge + z]);
            if ((bits.load(std::memory_order_relaxed) & bit) == 0)
                bits.fetch_or(bit, std::memory_order_relaxed);
        }
        return true;
    }

    /// Sorts the bricks by key, and gathers their slices in the order of the keys.
    void collectSlices(const std::stop_token& stop) {
        m_bricks = m_table->sorted(m_grid.keyBits(), stop);
        m_brickOfSlot = Buffer<std::uint32_t>::host(m_table->capacity());
        m_slices = Buffer<Slice>::host(m_bricks.size() * kEdge);
        parallelFor(m_bricks.size(), kBrickGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                m_brickOfSlot[m_bricks[b].index] = static_cast<std::uint32_t>(b);
                for (std::size_t z = 0; z < kEdge; ++z)
                    m_slices[b * kEdge + z].bits = m_bits[m_bricks[b].index * kEdge + z];
            }
        });
        m_bits = {};
    }

    /// Ranks the cells in ascending order of z, y, x: for each z through all bricks of a layer, and for each
    /// y through all bricks of a row of bricks.
    void rankRows(const std::stop_token& stop) {
        const std::vector<std::size_t> rows = findRows(stop);
        const std::size_t rowCount = rows.size() - 1;

        // number of cells of each z, later the first rank of each z
        std::vector<std::array<std::size_t, kEdge>> starts(rowCount);
        parallelFor(rowCount, 16, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row)
                for (int z = 0; z < kEdge; ++z)
                    starts[row][std::size_t(z)] = cellsIn(rows[row], rows[row + 1], z);
        });
        for (std::size_t row = 0; row < rowCount;) {
            const std::uint64_t layer = m_grid.layer(m_bricks[rows[row]].key);
            std::size_t next = row;
            while (next < rowCount && m_grid.layer(m_bricks[rows[next]].key) == layer)
                ++next;
            for (std::size_t z = 0; z < kEdge; ++z) {
                if (stop.stop_requested())
                    throw Cancelled();
                for (std::size_t r = row; r < next; ++r)
                    m_count += std::exchange(starts[r][z], m_count);
            }
            row = next;
        }
        parallelFor(rowCount, 16, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row)
                for (int z = 0; z < kEdge; ++z) {
                    if (stop.stop_requested())
                        throw Cancelled(); // checked here, too: a row may consist of a million bricks
                    rankSlices(rows[row], rows[row + 1], z, starts[row][std::size_t(z)]);
                }
        });
    }

    /// Returns the index of the first brick of each row of bricks, and finally the number of bricks.
    std::vector<std::size_t> findRows(const std::stop_token& stop) const {
        std::vector<std::size_t> rows;
        std::uint64_t last = kNoKey;
        for (std::size_t b = 0; b < m_bricks.size(); ++b) {
            if (b % (1 << 16) == 0 && stop.stop_requested())
                throw Cancelled();
            if (const std::uint64_t row = m_grid.row(m_bricks[b].key); row != last) {
                last = row;
                rows.push_back(b);
            }
        }
        rows.push_back(m_bricks.size());
        return rows;
    }

    std::size_t cellsIn(std::size_t firstBrick, std::size_t endBrick, int z) const {
        std::size_t cells = 0;
        for (std::size_t b = firstBrick; b < endBrick; ++b)
            cells += std::size_t(std::popcount(slice(b, z).bits));
        return cells;
    }

    void rankSlices(std::size_t firstBrick, std::size_t endBrick, int z, std::size_t rank) {
        for (int y = 0; y < kEdge; ++y)
            for (std::size_t b = firstBrick; b < endBrick; ++b) {
                Slice& cells = m_slices[b * kEdge + std::size_t(z)];
                cells.ranks[std::size_t(y)] = static_cast<std::uint32_t>(rank);
                rank += std::size_t(std::popcount(cells.row(y)));
            }
    }

    void writeRow(const Slice& cells, int y, Vec3i first, std::span<std::uint64_t> keys) const {
        std::size_t rank = cells.ranks[std::size_t(y)];
        for (unsigned bits = cells.row(y); bits != 0 && rank < keys.size(); bits &= bits - 1)
            keys[rank++] = m_shape.key(first + Vec3i{std::countr_zero(bits), 0, 0});
    }

    const Slice& slice(std::size_t brick, int z) const { return m_slices[brick * kEdge + std::size_t(z)]; }

    GridShape m_shape;
    BrickGrid m_grid;
    std::unique_ptr<KeyHashTable> m_table;
    Buffer<std::uint64_t> m_bits;        // [slots, 8] slices by slot, until they are sorted
    Buffer<KeyIndex> m_bricks;           // [B] keys and slots of the bricks, ascending
    Buffer<std::uint32_t> m_brickOfSlot; // [slots] index of the brick of each slot
    Buffer<Slice> m_slices;              // [B, 8] slices of the bricks, sorted
    std::size_t m_count = 0;
};

} // namespace

std::unique_ptr<OccupiedVoxels> findByBrickHash(const VoxelizeJob& job) {
    return std::make_unique<Bricks>(job);
}

} // namespace scanloupe::cpu
