// The ablation: methods that count the points of each cell, each of which differs from another in one
// respect.
#include "tests/bench/device_buffer.h"
#include "tests/bench/voxelize_counting.h"

#include <bit>

namespace scanloupe::bench {

using cuda::check;
using cuda::globalIndex;
using cuda::launch;

namespace {

enum class Way : std::uint8_t {
    global,
    staged,
    cached,
    warpMatch,
    warpRuns,
    compact,
    cooperative,
    passesGlobal,
    passesStaged,
    passesRegisters,
    passesCached,
};
constexpr int kPasses = 8; // number of passes over the same points

bool hasList(Way way) {
    return way == Way::compact || way == Way::cooperative;
}
bool hasPasses(Way way) {
    return way >= Way::passesGlobal;
}

/// Both kinds of counters, each with the byte value that clears it.
struct DenseCounters {
    using Counter = DenseCounter;
    static constexpr int kClear = 0;
    static constexpr std::uint64_t kEntryBytes = 4; // bytes of a counted voxel
    Buffer<std::uint32_t> memory;

    DenseCounters(const Setting& setting, StreamView stream)
        : memory(deviceBuffer<std::uint32_t>(setting.cells.shape.cellCount(), stream)) {}
    Counter view() { return {memory.data(), static_cast<std::uint32_t>(memory.size())}; }
};
struct HashCounters {
    using Counter = HashCounter;
    static constexpr int kClear = 0xff;
    static constexpr std::uint64_t kEntryBytes = sizeof(CellCount);
    Buffer<CellCount> memory;

    /// At most half full, as it is sized by the final number of voxels. Real use does not know this number in
    /// advance, so this is the best case of a hash table.
    HashCounters(const Setting& setting, StreamView stream)
        : memory(deviceBuffer<CellCount>(std::bit_ceil(2 * setting.reference.voxels + 2), stream)) {}
    Counter view() { return {memory.data(), static_cast<std::uint32_t>(memory.size() - 1)}; }
};

template <class Counter>
struct ReadCounter {
    Counter counter;
    std::uint32_t passes;

    __device__ TallyEntry operator()(std::size_t i) const {
        const CellCount entry = counter.at(static_cast<std::uint32_t>(i));
        // keeps a count that is not a multiple of the passes, so that the check against the reference fails
        return {entry.cell, entry.count % passes == 0 ? entry.count / passes : entry.count};
    }
};

struct ReadList {
    const CellCount* list;
    const std::uint32_t* listed;

    __device__ TallyEntry operator()(std::size_t i) const {
        return i < *listed ? TallyEntry{list[i].cell, list[i].count} : TallyEntry{};
    }
};

template <class Counters>
class Counting : public Method {
    using Counter = typename Counters::Counter;

public:
    Counting(const Setting& setting, Way way, StreamView stream)
        : m_setting(setting), m_way(way), m_counters(setting, stream),
          m_list(deviceBuffer<CellCount>(hasList(way) ? setting.reference.voxels + 1 : 1, stream)),
          m_listed(deviceBuffer<std::uint32_t>(1, stream)) {
        if (way != Way::cooperative)
            return;
        int device = 0, processors = 0, resident = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, countCooperative<Counter>,
                                                            static_cast<int>(cuda::kBlockSize), 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        m_blocks = static_cast<unsigned>(processors * resident);
    }

    void run(const DevicePoints& points, StreamView stream) override {
        if (m_way == Way::cooperative)
            return runCooperative(points, stream);
        clear(m_counters.memory, Counters::kClear, stream);
        switch (m_way) {
        case Way::global:
            return each(countGlobal<Counter>, "countGlobal", points, stream);
        case Way::staged:
            return each(countStaged<Counter>, "countStaged", points, stream);
        case Way::warpMatch:
            return each(countWarpMatch<Counter>, "countWarpMatch", points, stream);
        case Way::warpRuns:
            return each(countWarpRuns<Counter>, "countWarpRuns", points, stream);
        case Way::cached:
            return runCached(points, 1, stream);
        case Way::compact:
            clear(m_listed, 0, stream);
            each(countGlobal<Counter>, "countGlobal", points, stream);
            return launch("compactCells", m_counters.memory.size(), stream, compactCells<Counter>,
                          m_counters.view(), m_list.data(), m_listed.data());
        case Way::passesGlobal:
            for (int pass = 0; pass < kPasses; ++pass)
                each(countGlobal<Counter>, "countGlobal", points, stream);
            return;
        case Way::passesStaged:
            return launch("countStagedPasses", points.count, stream, countStagedPasses<Counter>,
                          points.positions, points.count, m_setting.cells, m_counters.view(), kPasses);
        case Way::passesRegisters:
            return launch("countRegisterPasses", points.count, stream, countRegisterPasses<Counter>,
                          points.positions, points.count, m_setting.cells, m_counters.view(), kPasses);
        case Way::passesCached:
            return runCached(points, kPasses, stream);
        case Way::cooperative:
            break;
        }
        throw Fault("there is no such way to count");
    }

    Histogram found(StreamView stream) override {
        Tally sums{};
        if (hasList(m_way))
            return tallied(ReadList{m_list.data(), m_listed.data()}, m_list.size(), sums, stream);
        const std::uint32_t passes = hasPasses(m_way) ? kPasses : 1;
        return tallied(ReadCounter<Counter>{m_counters.view(), passes}, m_counters.memory.size(), sums,
                       stream);
    }

    std::uint64_t bytes() const override {
        const std::uint64_t reads = m_way == Way::passesGlobal ? kPasses : 1;
        const std::uint64_t voxels = m_setting.reference.voxels;
        const std::uint64_t list =
            // the list is written, and read later
            hasList(m_way) ? m_counters.memory.bytes() + voxels * sizeof(CellCount) : 0;
        return reads * m_setting.points * sizeof(Vec3f) + m_counters.memory.bytes() +
               voxels * Counters::kEntryBytes + list;
    }

private:
    template <class T>
    void clear(Buffer<T>& buffer, int byte, StreamView stream) {
        check(cudaMemsetAsync(buffer.data(), byte, buffer.bytes(), stream.handle()), "cudaMemsetAsync");
    }
    /// Launches a kernel with one thread per point.
    void each(void (*kernel)(const Vec3f*, std::size_t, VoxelCells, Counter), const char* name,
              const DevicePoints& points, StreamView stream) {
        launch(name, points.count, stream, kernel, points.positions, points.count, m_setting.cells,
               m_counters.view());
    }
    void runCached(const DevicePoints& points, int passes, StreamView stream) {
        constexpr std::size_t tile = std::size_t{cuda::kBlockSize} * kCachePoints;
        const std::size_t blocks = (points.count + tile - 1) / tile;
        launch("countCached", blocks * cuda::kBlockSize, stream, countCached<Counter>, points.positions,
               points.count, m_setting.cells, m_counters.view(), passes);
    }
    void runCooperative(const DevicePoints& points, StreamView stream) {
        const Vec3f* positions = points.positions;
        std::size_t n = points.count;
        Counter counter = m_counters.view();
        CellCount* list = m_list.data();
        std::uint32_t* listed = m_listed.data();
        void* arguments[] = {&positions, &n, &m_setting.cells, &counter, &list, &listed};
        check(cudaLaunchCooperativeKernel(countCooperative<Counter>, dim3(m_blocks), dim3(cuda::kBlockSize),
                                          arguments, 0, cuda::ownStream(stream)),
              "cudaLaunchCooperativeKernel");
    }

    Setting m_setting;
    Way m_way;
    Counters m_counters;
    Buffer<CellCount> m_list;       // [voxels], unordered
    Buffer<std::uint32_t> m_listed; // [1]
    unsigned m_blocks = 0;
};

/// One 64-bit counter per cell: the number of points in the lower half, the sum of their levels in the upper
/// half.
__global__ void countPacked(const Vec3f* points, std::size_t n, VoxelCells cells, unsigned long long* pairs) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Vec3f p = points[i];
    if (const std::uint32_t cell = cellIndex(cells, p); cell != kNoCell)
        atomicAdd(pairs + cell, 1ULL | static_cast<unsigned long long>(levelInCell(cells, p)) << 32);
}

/// As countPacked(), with two adjacent 32-bit counters per cell.
__global__ void countTwice(const Vec3f* points, std::size_t n, VoxelCells cells, unsigned long long* pairs) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Vec3f p = points[i];
    const std::uint32_t cell = cellIndex(cells, p);
    if (cell == kNoCell)
        return;
    auto* halves = reinterpret_cast<std::uint32_t*>(pairs + cell); // little endian: the lower half first
    atomicAdd(halves, 1u);
    atomicAdd(halves + 1, levelInCell(cells, p));
}

struct ReadPairs {
    const unsigned long long* pairs;

    __device__ TallyEntry operator()(std::size_t i) const {
        return {i, static_cast<std::uint32_t>(pairs[i]), static_cast<std::uint32_t>(pairs[i] >> 32)};
    }
};

/// Counts two figures per cell: shows the gain of one 64-bit atomic over two 32-bit atomics.
class PairCounting : public Method {
public:
    PairCounting(const Setting& setting, bool packed, StreamView stream)
        : m_setting(setting), m_packed(packed),
          m_pairs(deviceBuffer<unsigned long long>(setting.cells.shape.cellCount(), stream)) {}

    void run(const DevicePoints& points, StreamView stream) override {
        check(cudaMemsetAsync(m_pairs.data(), 0, m_pairs.bytes(), stream.handle()), "cudaMemsetAsync");
        launch(m_packed ? "countPacked" : "countTwice", points.count, stream,
               m_packed ? countPacked : countTwice, points.positions, points.count, m_setting.cells,
               m_pairs.data());
    }
    Histogram found(StreamView stream) override {
        Tally sums{};
        Histogram result = tallied(ReadPairs{m_pairs.data()}, m_pairs.size(), sums, stream);
        result.levels = sums.levels;
        return result;
    }
    std::uint64_t bytes() const override {
        return m_setting.points * sizeof(Vec3f) + m_pairs.bytes() + 8 * m_setting.reference.voxels;
    }

private:
    Setting m_setting;
    bool m_packed;
    Buffer<unsigned long long> m_pairs; // [cells]
};

template <class Counters>
void addCounting(std::vector<MethodInfo>& methods, const std::string& group, Way way, const char* name,
                 const char* what) {
    methods.push_back({group + "-" + name, group, what, [way](const Setting& setting, StreamView stream) {
                           return std::make_unique<Counting<Counters>>(setting, way, stream);
                       }});
}

void addPairs(std::vector<MethodInfo>& methods, bool packed, const char* name, const char* what) {
    methods.push_back({name, "dense", what, [packed](const Setting& setting, StreamView stream) {
                           return std::make_unique<PairCounting>(setting, packed, stream);
                       }});
}

template <class Counters>
void addSinglePass(std::vector<MethodInfo>& methods, const std::string& group) {
    const auto add = [&](Way way, const char* name, const char* what) {
        addCounting<Counters>(methods, group, way, name, what);
    };
    add(Way::global, "global", "one global atomic a point: what the others are compared with");
    add(Way::staged, "staged", "points staged in shared memory");
    add(Way::cached, "shared-cache", "counts of a block's cells in shared memory, flushed at its end");
    add(Way::warpMatch, "warp-match", "one atomic for each cell of a warp, by match_any");
    add(Way::warpRuns, "warp-runs", "one atomic for each run of neighbouring lanes in a cell");
    add(Way::compact, "compact", "clear, count, list the occupied: three launches");
    add(Way::cooperative, "cooperative", "the same in one launch with grid.sync");
}

} // namespace

std::vector<MethodInfo> variantMethods() {
    std::vector<MethodInfo> methods;
    addSinglePass<DenseCounters>(methods, "dense");
    addPairs(methods, true, "dense-packed", "count and level in one 64-bit atomic");
    addPairs(methods, false, "dense-two-counters", "count and level in two 32-bit atomics");
    const auto addPasses = [&](Way way, const char* name, const char* what) {
        addCounting<DenseCounters>(methods, "dense", way, name, what);
    };
    addPasses(Way::passesGlobal, "passes8-global", "8 passes over the points, a launch each");
    addPasses(Way::passesStaged, "passes8-staged", "8 passes over points that stay in shared memory");
    addPasses(Way::passesRegisters, "passes8-registers", "8 passes over points that stay in registers");
    addPasses(Way::passesCached, "passes8-shared-cache", "8 passes into counts in shared memory");
    addSinglePass<HashCounters>(methods, "hash");
    return methods;
}

} // namespace scanloupe::bench
