// Estimates the normals of voxels on the CPU, enlarging the support until a plane is found.
#include "kernels/field/surfels/surfels.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/voxel_block.h"

#include <algorithm>
#include <array>
#include <bit>

namespace scanloupe::cpu {

namespace {

/// Estimates the normals of one brick's voxels at a time, from the brick and a halo as large as the support.
class NormalEstimator {
public:
    NormalEstimator(const SurfelSource& source, const VoxelBricks& bricks, const Support& support)
        : m_source(source), m_block(bricks, support.reach), m_reach(support.reach),
          m_inverse(inverseSquares(support.radius)) {}

    void load(const std::uint32_t* around) {
        m_block.load(around);
        m_points.clear();
        for (const BlockVoxel& v : m_block.voxels())
            m_points.push_back({m_source.mean(v.voxel), confidence(m_source.counts[v.voxel])});
    }
    const std::vector<BlockVoxel>& voxels() const { return m_block.voxels(); }

    NormalEstimate estimate(std::size_t slot) const {
        const BlockVoxel& at = m_block.voxels()[slot];
        const Vec3f middle = m_points[slot].mean;
        WeightedMoments means;
        const std::uint32_t window = (1u << (2 * m_reach.x + 1)) - 1; // bits from x - reach to x + reach
        for (int z = at.z - m_reach.z; z <= at.z + m_reach.z; ++z) {
            for (int y = at.y - m_reach.y; y <= at.y + m_reach.y; ++y) {
                const std::uint32_t near = m_block.rowMask(y, z) >> at.x & window;
                if (near == 0)
                    continue;
                std::size_t other = m_block.slot(at.x - m_reach.x + std::countr_zero(near), y, z);
                // the occupied voxels of a row have consecutive slots
                for (std::uint32_t rest = near; rest != 0; rest &= rest - 1, ++other)
                    means.add(m_points[other].mean - middle, m_points[other].confidence, m_inverse);
            }
        }
        return estimateNormal(means);
    }

private:
    struct Point {
        Vec3f mean;
        float confidence;
    };
    const SurfelSource& m_source;
    VoxelBlock m_block;
    Vec3i m_reach;
    Vec3f m_inverse;
    std::vector<Point> m_points;
};

/// Builds the surfels of one brick at a time; use one object per thread.
class SurfelBuilder {
public:
    SurfelBuilder(const SurfelSource& source, const VoxelBricks& bricks, const Support& support,
                  std::span<Vec3f> normals, std::span<std::uint8_t> oriented)
        : m_estimators{NormalEstimator(source, bricks, support),
                       NormalEstimator(source, bricks, scaledSupport(support, kSupportFactors[1])),
                       NormalEstimator(source, bricks, scaledSupport(support, kSupportFactors[2]))},
          m_source(source), m_normals(normals), m_oriented(oriented) {}

    void run(const std::uint32_t* around) {
        m_pending.clear();
        m_estimators[0].load(around);
        forBrick(m_estimators[0], [&](std::size_t slot, std::uint32_t voxel) {
            if (m_source.fromFile(voxel, m_normals[voxel]))
                m_oriented[voxel] = 1;
            else if (!accept(voxel, m_estimators[0].estimate(slot), false))
                m_pending.push_back(voxel);
        });
        for (std::size_t scale = 1; scale < m_estimators.size() && !m_pending.empty(); ++scale) {
            const bool last = scale + 1 == m_estimators.size();
            m_wanted.swap(m_pending);
            m_pending.clear();
            m_estimators[scale].load(around);
            forBrick(m_estimators[scale], [&](std::size_t slot, std::uint32_t voxel) {
                if (std::binary_search(m_wanted.begin(), m_wanted.end(), voxel) &&
                    !accept(voxel, m_estimators[scale].estimate(slot), last))
                    m_pending.push_back(voxel);
            });
        }
    }

private:
    template <class Body>
    static void forBrick(const NormalEstimator& estimator, Body&& body) {
        for (std::size_t slot = 0; slot < estimator.voxels().size(); ++slot)
            if (estimator.voxels()[slot].inBrick)
                body(slot, estimator.voxels()[slot].voxel);
    }
    bool accept(std::uint32_t voxel, const NormalEstimate& estimate, bool last) {
        Surfel surfel;
        if (!acceptEstimate(m_source, voxel, estimate, last, surfel))
            return false;
        m_normals[voxel] = surfel.normal;
        m_oriented[voxel] = surfel.oriented;
        return true;
    }

    std::array<NormalEstimator, 3> m_estimators; ///< one estimator per support size
    const SurfelSource& m_source;
    std::span<Vec3f> m_normals;
    std::span<std::uint8_t> m_oriented;
    std::vector<std::uint32_t> m_pending, m_wanted; ///< voxels that need a larger support, ascending by index
};

} // namespace

std::uint64_t makeSurfels(const VoxelGrid& voxels, const Support& support, const NormalSource& source,
                          const DistanceMemory& memory, DistanceTrace& trace, const std::stop_token& stop) {
    const SurfelSource columns = surfelSource(voxels, source);
    const VoxelBricks& bricks = trace.bricks;
    trace.estimates = Buffer<Vec3f>::host(voxels.size());
    trace.oriented = Buffer<std::uint8_t>::host(voxels.size());
    parallelFor(bricks.keys.size(), 16, stop, [&](std::size_t begin, std::size_t end) {
        SurfelBuilder builder(columns, bricks, support, trace.estimates.span(), trace.oriented.span());
        for (std::size_t b = begin; b < end; ++b)
            if (!memory.takeEstimates(b, trace.estimates.span(), trace.oriented.span()))
                builder.run(&trace.around[b * kNeighbours]);
    });
    const std::uint64_t known = parallelReduce(
        voxels.size(), std::size_t{1} << 16, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            return std::uint64_t(std::count(trace.oriented.data() + begin, trace.oriented.data() + end, 1));
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (known == voxels.size())
        return 0;
    trace.normals = hostCopy(std::span<const Vec3f>(trace.estimates.span()));
    propagateOrientation(voxels, bricks, trace.around.span(), trace.oriented.span(), trace.normals.span(),
                         stop);
    return voxels.size() - known;
}

} // namespace scanloupe::cpu
