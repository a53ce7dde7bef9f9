// Voxels on the CPU: the key of every point, a stable sort by key, one segment of the sorted points a voxel.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/voxel_checks.h"

#include <bit>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 14;
constexpr std::size_t kLookAhead = 16; // items; hides the misses of reading positions in the order of keys

struct Job {
    const PointsView& points;
    const VoxelizeParams& params;
    VoxelCells cells;
    std::vector<FeatureScale> scales; // [F]
    const std::stop_token& stop;

    std::size_t channels() const { return 3 + scales.size(); }
};

/// Points of one voxel that follow each other in the sorted order: a whole voxel, or a part that a chunk's
/// border cut.
struct Piece {
    std::uint64_t key = 0;
    std::uint64_t id = 0;
    std::uint32_t count = 0; // points that are averaged
};

/// Items of the points in range, in input order. Fills the point counts of the stats and clears `pointVoxel`.
template <class Item>
Buffer<Item> itemsInRange(const Job& job, VoxelGrid& grid, Buffer<Item>& scratch) {
    const std::size_t n = job.points.count;
    std::vector<std::size_t> starts(chunkCount(n, kGrain)); // kept items of each chunk
    std::vector<std::size_t> notFinite(starts.size());
    parallelChunks(n, kGrain, job.stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        Item* out = scratch.data() + begin;
        for (std::size_t i = begin; i < end; ++i) {
            grid.pointVoxel[i] = kNoVoxel;
            const Vec3f p = job.points.positions[i];
            if (job.cells.contains(p))
                *out++ = {static_cast<decltype(Item::key)>(grid.shape.key(job.cells.cell(p))),
                          static_cast<decltype(Item::index)>(i)};
            else if (!isFinite(p))
                ++notFinite[chunk];
        }
        starts[chunk] = static_cast<std::size_t>(out - (scratch.data() + begin));
    });
    const std::size_t kept = exclusiveScan(std::span(starts));
    grid.stats.pointsInRange = kept;
    for (const std::size_t count : notFinite)
        grid.stats.pointsNotFinite += count;
    grid.stats.pointsOutside = n - kept - grid.stats.pointsNotFinite;

    auto items = Buffer<Item>::host(kept);
    parallelChunks(n, kGrain, job.stop, [&](std::size_t chunk, std::size_t begin, std::size_t) {
        const std::size_t end = chunk + 1 < starts.size() ? starts[chunk + 1] : kept;
        std::copy_n(scratch.data() + begin, end - starts[chunk], items.data() + starts[chunk]);
    });
    return items;
}

/// What a chunk of the sorted items has to know of those before it.
struct ChunkStart {
    std::size_t voxels = 0;    // voxels that begin before the chunk
    std::size_t lastStart = 0; // where the last of them begins
};

template <class Item>
bool beginsVoxel(const Buffer<Item>& items, std::size_t i) {
    return i == 0 || items[i].key != items[i - 1].key;
}

/// [chunks + 1]; the last one holds the totals.
template <class Item>
std::vector<ChunkStart> findVoxels(const Job& job, const Buffer<Item>& items) {
    std::vector<ChunkStart> starts(chunkCount(items.size(), kGrain) + 1);
    parallelChunks(items.size(), kGrain, job.stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       ChunkStart found;
                       for (std::size_t i = begin; i < end; ++i) {
                           if (!beginsVoxel(items, i))
                               continue;
                           ++found.voxels;
                           found.lastStart = i;
                       }
                       starts[chunk + 1] = found;
                   });
    for (std::size_t chunk = 1; chunk < starts.size(); ++chunk) {
        if (starts[chunk].voxels == 0)
            starts[chunk].lastStart = starts[chunk - 1].lastStart;
        starts[chunk].voxels += starts[chunk - 1].voxels;
    }
    return starts;
}

/// Adds feature `f` of the points behind `items`; returns how many values were not finite.
template <class Item>
std::uint64_t addFeature(const Job& job, std::size_t f, std::span<const Item> items, std::uint64_t& sum) {
    const auto add = [&](const auto* values) {
        std::uint64_t notFinite = 0;
        for (const Item& item : items) {
            std::uint64_t fixed = 0;
            if (!job.scales[f].fixed(static_cast<double>(values[item.index]), fixed))
                ++notFinite;
            sum += fixed;
        }
        return notFinite;
    };
    const FeatureView& feature = job.points.features[f];
    return feature.type == FeatureView::Type::float32 ? add(static_cast<const float*>(feature.data))
                                                      : add(static_cast<const double*>(feature.data));
}

/// Averages the sorted items into the grid's voxels, whose number is known.
template <class Item>
class Averaging {
public:
    Averaging(const Job& job, const Buffer<Item>& items, const std::vector<ChunkStart>& starts,
              VoxelGrid& grid)
        : m_job(job), m_items(items), m_starts(starts), m_grid(grid), m_chunks(starts.size() - 1) {}

    void run() {
        parallelChunks(
            m_items.size(), kGrain, m_job.stop,
            [&](std::size_t chunk, std::size_t begin, std::size_t end) { addChunk(chunk, begin, end); });
        joinCutPieces();
    }

private:
    struct ChunkResult {
        std::vector<Piece> cut;          // at most the first and the last voxel of the chunk
        std::vector<std::uint64_t> sums; // [cut, channels]
        std::uint64_t averaged = 0, inDroppedVoxels = 0, notFinite = 0;
    };

    void addChunk(std::size_t chunk, std::size_t begin, std::size_t end) {
        ChunkResult& result = m_chunks[chunk];
        std::vector<std::uint64_t> sums(m_job.channels());
        std::uint64_t nextId = m_starts[chunk].voxels;
        for (std::size_t i = begin; i < end;) {
            const bool begins = beginsVoxel(m_items, i);
            const std::uint64_t key = m_items[i].key;
            std::size_t last = i + 1;
            while (last < end && m_items[last].key == key)
                ++last;
            const bool ends = last == m_items.size() || m_items[last].key != key;
            const std::uint64_t id = begins ? nextId++ : nextId - 1;
            if (id >= m_grid.size()) {
                result.inDroppedVoxels += end - i; // and so are all that follow
                return;
            }
            const std::size_t voxelStart = begins ? i : m_starts[chunk].lastStart;
            const Piece piece{key, id, static_cast<std::uint32_t>(keptUntil(voxelStart, i, last) - i)};
            addPiece(piece, i, sums, result);
            if (begins && ends) {
                store(piece, sums.data());
            } else {
                result.cut.push_back(piece);
                result.sums.insert(result.sums.end(), sums.begin(), sums.end());
            }
            i = last;
        }
    }

    /// End of the items in [begin, end) that maxPointsPerVoxel keeps; the sort left them in input order.
    std::size_t keptUntil(std::size_t voxelStart, std::size_t begin, std::size_t end) const {
        const std::size_t limit = m_job.params.maxPointsPerVoxel;
        return limit == 0 ? end : std::clamp(voxelStart + limit, begin, end);
    }

    void addPiece(const Piece& piece, std::size_t begin, std::vector<std::uint64_t>& sums,
                  ChunkResult& result) {
        const Vec3i cell = m_grid.shape.cell(piece.key);
        std::uint64_t x = 0, y = 0, z = 0;
        for (std::size_t i = begin; i < begin + piece.count; ++i) {
            if (i + kLookAhead < m_items.size())
                __builtin_prefetch(&m_job.points.positions[m_items[i + kLookAhead].index]);
            const Vec3f p = m_job.points.positions[m_items[i].index];
            x += m_job.cells.fractionAlong(0, p.x, cell.x);
            y += m_job.cells.fractionAlong(1, p.y, cell.y);
            z += m_job.cells.fractionAlong(2, p.z, cell.z);
            m_grid.pointVoxel[m_items[i].index] = static_cast<std::uint32_t>(piece.id);
        }
        sums[0] = x, sums[1] = y, sums[2] = z;
        for (std::size_t f = 0; f < m_job.scales.size(); ++f) {
            sums[3 + f] = 0;
            result.notFinite +=
                addFeature(m_job, f, std::span<const Item>(m_items.data() + begin, piece.count), sums[3 + f]);
        }
        result.averaged += piece.count;
    }

    void store(const Piece& piece, const std::uint64_t* sums) {
        const Vec3i cell = m_grid.shape.cell(piece.key);
        m_grid.keys[piece.id] = piece.key;
        m_grid.counts[piece.id] = piece.count;
        float* mean = m_grid.means.data() + piece.id;
        for (int axis = 0; axis < 3; ++axis, mean += m_grid.size())
            *mean = m_job.cells.meanAlong(axis, cell[axis], sums[axis], piece.count);
        for (std::size_t f = 0; f < m_job.scales.size(); ++f, mean += m_grid.size())
            *mean = m_job.scales[f].mean(sums[3 + f], piece.count);
    }

    /// Voxels that chunks' borders cut: integer sums, so joining them gives what one sum would have given.
    void joinCutPieces() {
        Piece open;
        std::vector<std::uint64_t> sums(m_job.channels());
        const auto close = [&] {
            if (open.count > 0)
                store(open, sums.data());
        };
        std::uint64_t averaged = 0;
        for (const ChunkResult& chunk : m_chunks) {
            for (std::size_t c = 0; c < chunk.cut.size(); ++c) {
                if (open.count == 0 || open.id != chunk.cut[c].id) {
                    close();
                    open = {chunk.cut[c].key, chunk.cut[c].id, 0};
                    std::fill(sums.begin(), sums.end(), std::uint64_t{0});
                }
                open.count += chunk.cut[c].count;
                for (std::size_t s = 0; s < sums.size(); ++s)
                    sums[s] += chunk.sums[c * sums.size() + s];
            }
            averaged += chunk.averaged;
            m_grid.stats.pointsDroppedWithVoxels += chunk.inDroppedVoxels;
            m_grid.stats.featuresNotFinite += chunk.notFinite;
        }
        close();
        m_grid.stats.pointsDroppedInVoxels =
            m_grid.stats.pointsInRange - m_grid.stats.pointsDroppedWithVoxels - averaged;
    }

    const Job& m_job;
    const Buffer<Item>& m_items;
    const std::vector<ChunkStart>& m_starts;
    VoxelGrid& m_grid;
    std::vector<ChunkResult> m_chunks;
};

template <class Item>
void voxelizeWith(const Job& job, VoxelGrid& grid) {
    auto scratch = Buffer<Item>::host(job.points.count);
    auto items = itemsInRange<Item>(job, grid, scratch);
    const auto keyBits = static_cast<int>(std::bit_width(grid.shape.cellCount() - 1));
    parallelSortByKey(items.span(), scratch.span(), keyBits, job.stop);
    const auto starts = findVoxels(job, items);

    const std::size_t found = starts.back().voxels;
    const std::size_t limit = job.params.maxVoxels;
    const std::size_t kept = limit == 0 ? found : std::min<std::size_t>(found, limit);
    grid.stats.voxelsDropped = found - kept;
    grid.keys = Buffer<std::uint64_t>::host(kept);
    grid.counts = Buffer<std::uint32_t>::host(kept);
    grid.means = Buffer<float>::host(kept * job.channels());
    Averaging<Item>(job, items, starts, grid).run();
}

} // namespace

VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop) {
    const WallTimer timer;
    VoxelGrid grid;
    grid.shape = gridShape(params);
    const Job job{points, params, {grid.shape, params.rangeMax}, checkPoints(points), stop};
    grid.featureCount = points.features.size();
    grid.pointVoxel = Buffer<std::uint32_t>::host(points.count);
    if (grid.shape.cellCount() <= std::uint64_t{1} << 32)
        voxelizeWith<KeyIndex32>(job, grid);
    else
        voxelizeWith<KeyIndex>(job, grid);
    grid.cost = {timer.elapsedMs(), 0.0, grid.bytes()};
    return grid;
}

} // namespace scanloupe::cpu
