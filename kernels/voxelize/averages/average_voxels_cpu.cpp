// Averages on the CPU: adds each point to the sums of its voxel, and converts the sums to means.
#include "kernels/voxelize/averages/sum_cache.h"
#include "kernels/voxelize/core/occupied_voxels.h"

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kAverageVoxelsVoxelGrain = std::size_t{1} << 13;
constexpr std::size_t kPositionSums = 4; // count, x, y, z

/// Feature values of a block in fixed point.
struct FixedValues {
    std::array<std::uint64_t, PointBlock::kSize> value;
    std::array<bool, PointBlock::kSize> finite;
};

void readFeature(const FeatureView& feature, const FeatureScale& scale, const PointBlock& block,
                 FixedValues& fixed) {
    const auto read = [&](const auto* values) {
        for (std::size_t i = 0; i < block.size; ++i)
            fixed.finite[i] =
                scale.toFixedPoint(static_cast<double>(values[block.begin + i]), fixed.value[i]);
    };
    if (feature.type == ScalarType::float32)
        read(static_cast<const float*>(feature.data));
    else
        read(static_cast<const double*>(feature.data));
}

class Averaging {
public:
    Averaging(const VoxelizeJob& job, const OccupiedVoxels& occupied, VoxelGrid& grid)
        : m_job(job), m_occupied(occupied), m_grid(grid), m_features(job.scales.size()) {
        const std::size_t limit = job.params.maxVoxels;
        m_kept = limit == 0 ? occupied.count() : std::min<std::size_t>(occupied.count(), limit);
    }

    void run() {
        m_grid.stats.voxelsDropped = m_occupied.count() - m_kept;
        allocateVoxels(m_grid, m_kept, 3 + m_features, MemorySpace::host, StreamView(nullptr));
        m_means = meanColumns(m_grid);
        m_grid.pointVoxel = Buffer<std::uint32_t>::host(m_job.params.pointVoxels ? m_job.points.count : 0);
        m_sums = Buffer<std::uint64_t>::host(m_kept * (kPositionSums + m_features));
        parallelFor(m_sums.size(), std::size_t{1} << 18, m_job.stop, [&](std::size_t begin, std::size_t end) {
            std::fill(m_sums.data() + begin, m_sums.data() + end, std::uint64_t{0});
        });
        addPoints();
        m_occupied.writeKeys(m_grid.keys.span(), m_job.stop);
        parallelFor(m_kept, kAverageVoxelsVoxelGrain, m_job.stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t voxel = begin; voxel < end; ++voxel)
                writeVoxel(voxel);
        });
    }

private:
    using Ranks = std::array<std::uint32_t, PointBlock::kSize>;

    void addPoints() {
        const std::size_t n = m_job.points.count;
        std::vector<VoxelStats> chunks(chunkCount(n, m_job.grain()));
        parallelChunks(n, m_job.grain(), m_job.stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           chunks[chunk] = addChunk(begin, end);
                       });
        VoxelStats& stats = m_grid.stats;
        for (const VoxelStats& chunk : chunks) {
            stats.pointsNotFinite += chunk.pointsNotFinite;
            stats.pointsOutside += chunk.pointsOutside;
            stats.pointsDroppedWithVoxels += chunk.pointsDroppedWithVoxels;
            stats.pointsDroppedInVoxels += chunk.pointsDroppedInVoxels;
            stats.featuresNotFinite += chunk.featuresNotFinite;
        }
        stats.pointsInRange = n - stats.pointsNotFinite - stats.pointsOutside;
    }

    VoxelStats addChunk(std::size_t begin, std::size_t end) {
        VoxelStats stats;
        SumCache<kPositionSums> positions(m_sums.data());
        std::vector<std::unique_ptr<SumCache<1>>> features;
        for (std::size_t f = 0; f < m_features; ++f)
            features.push_back(std::make_unique<SumCache<1>>(featureSums(f)));
        Ranks ranks;
        FixedValues fixed;
        m_job.forEachBlock(begin, end, [&](const PointBlock& block) {
            m_occupied.rank(block, ranks.data());
            if (dropPoints(block, ranks, stats) == block.size)
                return;
            addPositions(block, ranks, positions);
            for (std::size_t f = 0; f < m_features; ++f) {
                readFeature(m_job.points.features[f], m_job.scales[f], block, fixed);
                for (std::size_t i = 0; i < block.size; ++i) {
                    if (ranks[i] == kNoVoxel)
                        continue;
                    features[f]->add(ranks[i], {fixed.value[i]});
                    stats.featuresNotFinite += fixed.finite[i] ? 0 : 1;
                }
            }
        });
        return stats;
    }

    /// Counts the points that belong to no kept voxel and sets their rank to kNoVoxel. @returns their number
    std::size_t dropPoints(const PointBlock& block, Ranks& ranks, VoxelStats& stats) {
        std::size_t dropped = 0;
        for (std::size_t i = 0; i < block.size; ++i)
            dropped += ranks[i] >= m_kept ? 1 : 0;
        for (std::size_t i = 0; dropped > 0 && i < block.size; ++i) {
            if (ranks[i] < m_kept)
                continue;
            if (ranks[i] == kPastPointLimit)
                ++stats.pointsDroppedInVoxels;
            else if (ranks[i] != kNoVoxel)
                ++stats.pointsDroppedWithVoxels;
            else if (isFinite(m_job.points.positions[block.begin + i]))
                ++stats.pointsOutside;
            else
                ++stats.pointsNotFinite;
            ranks[i] = kNoVoxel;
        }
        if (m_job.params.pointVoxels)
            std::copy_n(ranks.data(), block.size, m_grid.pointVoxel.data() + block.begin);
        return dropped;
    }

    void addPositions(const PointBlock& block, const Ranks& ranks, SumCache<kPositionSums>& sums) const {
        const VoxelCells cells = m_job.cells; // a copy, which the writes of the loops cannot alias
        std::array<std::array<std::uint32_t, PointBlock::kSize>, 3> fraction;
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = std::size_t(axis);
            for (std::size_t i = 0; i < block.size; ++i)
                fraction[a][i] = cells.fractionAlong(axis, block.position[a][i], block.cell[a][i]);
        }
        for (std::size_t i = 0; i < block.size; ++i)
            if (ranks[i] != kNoVoxel)
                sums.add(ranks[i], {1, fraction[0][i], fraction[1][i], fraction[2][i]});
    }

    void writeVoxel(std::size_t voxel) {
        const std::uint64_t* sums = m_sums.data() + voxel * kPositionSums;
        const Vec3i cell = m_grid.shape.cell(m_grid.keys[voxel]);
        const auto count = static_cast<std::uint32_t>(sums[0]);
        m_grid.counts[voxel] = count;
        for (int axis = 0; axis < 3; ++axis) {
            const double fraction = VoxelCells::meanFraction(sums[1 + axis], count);
            m_means.set(std::size_t(axis), voxel, m_job.cells.meanAlong(axis, cell[axis], fraction));
        }
        for (std::size_t f = 0; f < m_features; ++f)
            m_means.set(3 + f, voxel, m_job.scales[f].mean(featureSums(f)[voxel], count));
    }

    std::uint64_t* featureSums(std::size_t f) { return m_sums.data() + (kPositionSums + f) * m_kept; }

    const VoxelizeJob& m_job;
    const OccupiedVoxels& m_occupied;
    VoxelGrid& m_grid;
    std::size_t m_features; // F
    std::size_t m_kept = 0; // V
    MeanColumns m_means;
    Buffer<std::uint64_t> m_sums; // [V, 4], then [F, V]
};

} // namespace

void averageVoxels(const VoxelizeJob& job, const OccupiedVoxels& occupied, VoxelGrid& grid) {
    Averaging(job, occupied, grid).run();
}

} // namespace scanloupe::cpu
