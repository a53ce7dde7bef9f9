// Voxelizes on the device with a hash table of bricks of 8^3 cells, with one bit per cell (strategy
// `brick-hash`). Its memory grows with the number of occupied bricks, so the grid may have any number of
// cells. Voxels are ranked brick by brick, then sorted by key: there are far fewer voxels than points.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/strategies/cuda_key_hash_table.cuh"
#include "kernels/voxelize/strategies/cuda_rank_words.cuh"
#include "kernels/voxelize/strategies/sorted_keys.cuh"

namespace scanloupe::cuda {

namespace {

constexpr unsigned kBrickWords = 16; // words of 32 bits per brick, 512 bits
constexpr std::uint32_t kMaxInitialSlots = 1u << 16;

/// Position of a cell's bit.
struct BrickCell {
    std::uint64_t brick;
    unsigned word, bit;
};

/// The grid, divided into bricks.
struct BrickGrid {
    GridShape shape;
    std::uint64_t nx, ny; // number of bricks along x and y

    explicit BrickGrid(const GridShape& grid)
        : shape(grid), nx((static_cast<std::uint64_t>(grid.dims.x) + 7) / 8),
          ny((static_cast<std::uint64_t>(grid.dims.y) + 7) / 8) {}

    __device__ BrickCell at(Vec3i cell) const {
        const auto x = static_cast<unsigned>(cell.x), y = static_cast<unsigned>(cell.y),
                   z = static_cast<unsigned>(cell.z);
        const unsigned inside = (x & 7u) | (y & 7u) << 3 | (z & 7u) << 6;
        return {(static_cast<std::uint64_t>(z / 8) * ny + y / 8) * nx + x / 8, inside / 32, inside % 32};
    }
    __device__ std::uint64_t key(std::uint64_t brick, unsigned inside) const {
        const Vec3i low{static_cast<int>(brick % nx * 8), static_cast<int>(brick / nx % ny * 8),
                        static_cast<int>(brick / nx / ny * 8)};
        return shape.key({low.x + static_cast<int>(inside & 7u), low.y + static_cast<int>(inside >> 3 & 7u),
                          low.z + static_cast<int>(inside >> 6)});
    }
};

template <int K>
__global__ void __launch_bounds__(kBlockSize)
    setBrickBits(const Vec3f* positions, std::size_t n, DeviceCells cells, BrickGrid grid, KeyHashTable table,
                 Bitmap bits, Counts* counts) {
    const PointKeys<std::uint64_t, K> keys(cells, loadPoints<K>(positions, n, globalIndex()));
    unsigned full = 0;
    keys.forEachRun([&](int k) {
        const BrickCell cell = grid.at(keys.cells[k]);
        const std::uint32_t slot = table.insert(cell.brick);
        if (slot == kNoSlot)
            ++full;
        else
            bits.set(static_cast<std::size_t>(slot) * kBrickWords + cell.word, cell.bit);
    });
    countInWarp(&counts->tableFull, full);
}

/// Lists the keys of the voxels in the order of their ranks, and their ranks.
__global__ void listBricks(const RankWord* ranks, std::size_t words, BrickGrid grid, KeyHashTable table,
                           std::uint64_t* keys, std::uint32_t* values) {
    const std::size_t word = globalIndex();
    if (word >= words)
        return;
    std::uint32_t bits = ranks[word].bits;
    if (bits == 0)
        return;
    const std::uint64_t brick = table.keys[word / kBrickWords];
    for (std::uint32_t rank = ranks[word].base; bits != 0; ++rank, bits &= bits - 1) {
        const auto bit = static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
        keys[rank] = grid.key(brick, static_cast<unsigned>(word % kBrickWords) * 32 + bit);
        values[rank] = rank;
    }
}

struct BrickRanker : PrecomputedRanks {
    BrickGrid grid;
    KeyHashTable table;
    const RankWord* words;
    const std::uint32_t* places; // [V] index of each rank in key order

    __device__ std::uint32_t rank(const DeviceCells&, Vec3i at, std::size_t, bool inRange) const {
        if (!inRange)
            return kNoVoxel;
        const BrickCell cell = grid.at(at);
        const std::size_t slot = table.find(cell.brick);
        return places[words[slot * kBrickWords + cell.word].rank(cell.bit)];
    }
};

/// The hash table of bricks and their occupancy bits.
struct Bricks {
    Buffer<Count> keys;
    Buffer<std::uint32_t> bits, tileSums;
    KeyHashTable table;

    Bitmap bitmap() { return {bits.data(), tileSums.data()}; }
};

Bricks findBricks(const Job& job, const BrickGrid& grid, Buffer<Counts>& counts) {
    for (std::uint32_t slots = initialSlots(job.points.count, kMaxInitialSlots);; slots *= 4) {
        if (slots > 1u << 26) // limits bits and ranks to 13 GB
            throw KernelError(
                "the points occupy more bricks of 8^3 cells than a table of 2^26 slots can store",
                "Use a larger voxel size or a smaller range.");
        const std::size_t words = std::size_t{slots} * kBrickWords; // always whole tiles
        Bricks bricks{job.buffer<Count>(slots),
                      job.zeros<std::uint32_t>(words),
                      job.zeros<std::uint32_t>(tiles(words)),
                      {}};
        job.fill(bricks.keys, 0xff);
        job.fill(counts, 0);
        bricks.table = {bricks.keys.data(), slots - 1};
        withPointsPerThread(job.points.count, [&](auto perThread) {
            launch("setBrickBits", threadsFor(job.points.count, perThread), job.stream,
                   setBrickBits<decltype(perThread)::value>, job.points.positions, job.points.count,
                   DeviceCells(job.cells), grid, bricks.table, bricks.bitmap(), counts.data());
        });
        if (job.read(counts).tableFull == 0)
            return bricks;
        job.throwIfStopped();
    }
}

} // namespace

void voxelizeByBrickHash(const Job& job, VoxelGrid& grid) {
    const BrickGrid brickGrid(grid.shape);
    auto counts = job.buffer<Counts>(1);
    Bricks bricks = findBricks(job, brickGrid, counts);
    const std::size_t words = bricks.bits.size();
    auto ranks = job.buffer<RankWord>(words);
    rankWords(bricks.bitmap(), ranks.data(), words, nullptr, 0, counts.data(), job.stream);
    const std::size_t found = job.read(counts).voxels;

    auto keys = job.buffer<std::uint64_t>(found);
    auto values = job.buffer<std::uint32_t>(found), places = job.buffer<std::uint32_t>(found);
    launch("listBricks", words, job.stream, listBricks, ranks.data(), words, brickGrid, bricks.table,
           keys.data(), values.data());
    sortByKey(job, grid.shape.cellCount(), keys, values);
    invertPermutation(values, places, job.stream);
    averageByRank(job, BrickRanker{{}, brickGrid, bricks.table, ranks.data(), places.data()}, counts, grid,
                  [&](std::uint64_t* to, std::size_t limit) {
                      detail::copyBytes(to, MemorySpace::device, keys.data(), MemorySpace::device,
                                        limit * sizeof(std::uint64_t), job.stream);
                  });
}

} // namespace scanloupe::cuda
