#include "kernels/field/surfels.h"

#include "kernels/core/parallel.h"
#include "kernels/field/field_cell.h"
#include "kernels/field/voxel_block.h"

#include <algorithm>
#include <array>
#include <bit>

namespace scanloupe::cpu {

namespace {

Vec3f meanOf(const VoxelGrid& voxels, std::size_t voxel, int channel = 0) {
    const auto c = static_cast<std::size_t>(channel);
    return {voxels.mean(c)[voxel], voxels.mean(c + 1)[voxel], voxels.mean(c + 2)[voxel]};
}

/// Estimates normals of one brick's voxels at a time, from a block that reaches far enough.
class NormalEstimator {
public:
    NormalEstimator(const VoxelGrid& voxels, const VoxelBricks& bricks, const Support& support)
        : m_voxels(voxels), m_block(bricks, support.reach), m_reach(support.reach),
          m_inverse(inverseSquares(support.radius)) {}

    void load(const std::uint32_t* around) {
        m_block.load(around);
        m_points.clear();
        for (const BlockVoxel& v : m_block.voxels())
            m_points.push_back({meanOf(m_voxels, v.voxel), trust(m_voxels.counts[v.voxel])});
    }
    const std::vector<BlockVoxel>& voxels() const { return m_block.voxels(); }

    /// What the means around a voxel look like.
    enum class Spread : std::uint8_t { unclear, blob, line, plane };
    struct Guess {
        Spread spread = Spread::unclear;
        Vec3f normal; ///< of a plane; across a line, where its means scatter least
    };
    Guess estimate(std::size_t slot) const {
        const BlockVoxel& at = m_block.voxels()[slot];
        const Vec3f middle = m_points[slot].mean;
        Moments moments;
        float trusted = 0;                                            // points that were seen
        const std::uint32_t window = (1u << (2 * m_reach.x + 1)) - 1; // x - reach to x + reach
        for (int z = at.z - m_reach.z; z <= at.z + m_reach.z; ++z) {
            for (int y = at.y - m_reach.y; y <= at.y + m_reach.y; ++y) {
                const std::uint32_t near = m_block.rowMask(y, z) >> at.x & window;
                if (near == 0)
                    continue;
                std::size_t other = m_block.slot(at.x - m_reach.x + std::countr_zero(near), y, z);
                for (std::uint32_t rest = near; rest != 0; rest &= rest - 1, ++other) {
                    const Point& point = m_points[other]; // the row's voxels follow each other
                    const Vec3f d = point.mean - middle;
                    const float left = nearness(d.x, d.y, d.z, m_inverse);
                    if (left > 0) {
                        moments.add(d, left * point.trust);
                        trusted += point.trust;
                    }
                }
            }
        }
        Guess guess;
        if (moments.points < 4)
            return guess;
        const Eigen3f eigen = symmetricEigen(moments.covariance());
        guess.normal = normalized(eigen.vectors[0]);
        if (!isFinite(guess.normal))
            return guess;
        // few and noisy means could lie on a plane of any slant; many are right to be a corner
        const bool thin = (eigen.values[0] < 0.1f * eigen.values[1] && moments.points >= 6) || trusted >= 40;
        if (eigen.values[1] > 0.02f * eigen.values[2])
            guess.spread = thin ? Spread::plane : Spread::blob;
        else if (eigen.values[1] >
                 1e-5f * eigen.values[2]) // thinner than rounding says nothing about its sides
            guess.spread = Spread::line;
        return guess;
    }

private:
    struct Point {
        Vec3f mean;
        float trust;
    };
    const VoxelGrid& m_voxels;
    VoxelBlock m_block;
    Vec3i m_reach;
    Vec3f m_inverse;
    std::vector<Point> m_points;
};

/// `times` as far, but no farther than the bricks around: a lidar's rings lie far apart on the ground.
Support wider(const Support& support, int times) {
    Support result = support;
    for (int axis = 0; axis < 3; ++axis) {
        result.reach[axis] = std::min(times * support.reach[axis], kBrickEdge - 1);
        const float grown = static_cast<float>(result.reach[axis]) / static_cast<float>(support.reach[axis]);
        result.radius[axis] = support.radius[axis] * grown;
    }
    return result;
}

/// Where a voxel's normal comes from, and which side is outside.
class Sides {
public:
    Sides(const VoxelGrid& voxels, const NormalSource& source) : m_voxels(voxels), m_source(source) {
        const auto check = [&](int channel) {
            if (channel >= 0 && (channel < 3 || static_cast<std::size_t>(channel) > voxels.featureCount))
                throw KernelError("the voxels have no three means from channel " + std::to_string(channel) +
                                      " on",
                                  "Voxelize with the normals' or the sensor's channels as features.");
        };
        check(source.normalChannel);
        check(source.sensorChannel);
    }
    bool fromFile(std::size_t voxel, Vec3f& normal) const {
        if (m_source.normalChannel < 0)
            return false;
        const Vec3f sum = meanOf(m_voxels, voxel, m_source.normalChannel) + m_source.normalOffset;
        const float length = norm(sum);
        if (!(length > 0.1f) || !isFinite(sum))
            return false; // no normals, or such that cancel
        normal = sum / length;
        return true;
    }
    /// From the voxel to the sensor; false when nobody knows.
    bool toSensor(std::size_t voxel, Vec3f& direction) const {
        Vec3f sensor;
        if (m_source.sensorChannel >= 0)
            sensor = meanOf(m_voxels, voxel, m_source.sensorChannel) + m_source.sensorOffset;
        else if (m_source.sensor)
            sensor = *m_source.sensor;
        else
            return false;
        direction = normalized(sensor - meanOf(m_voxels, voxel));
        return isFinite(direction) && squaredNorm(direction) > 0;
    }

private:
    const VoxelGrid& m_voxels;
    const NormalSource& m_source;
};

/// Makes the surfels of one brick at a time; each thread has its own.
class SurfelMaker {
public:
    SurfelMaker(const VoxelGrid& voxels, const VoxelBricks& bricks, const Support& support,
                const Sides& sides, std::span<Vec3f> normals, std::span<std::uint8_t> turned)
        : m_estimators{NormalEstimator(voxels, bricks, support),
                       NormalEstimator(voxels, bricks, wider(support, 2)),
                       NormalEstimator(voxels, bricks, wider(support, 4))},
          m_sides(sides), m_normals(normals), m_turned(turned) {}

    void run(const std::uint32_t* around) {
        m_left.clear();
        m_estimators[0].load(around);
        forBrick(m_estimators[0], [&](std::size_t slot, std::uint32_t voxel) {
            if (m_sides.fromFile(voxel, m_normals[voxel]))
                m_turned[voxel] = 1;
            else if (!settle(voxel, m_estimators[0].estimate(slot), false))
                m_left.push_back(voxel);
        });
        for (std::size_t scale = 1; scale < m_estimators.size() && !m_left.empty(); ++scale) {
            const bool last = scale + 1 == m_estimators.size();
            m_wanted.swap(m_left);
            m_left.clear();
            m_estimators[scale].load(around);
            forBrick(m_estimators[scale], [&](std::size_t slot, std::uint32_t voxel) {
                if (std::binary_search(m_wanted.begin(), m_wanted.end(), voxel) &&
                    !settle(voxel, m_estimators[scale].estimate(slot), last))
                    m_left.push_back(voxel);
            });
        }
    }
    /// Voxels so far whose side nobody knows.
    std::uint64_t guessed() const { return m_guessed; }

private:
    template <class Body>
    static void forBrick(const NormalEstimator& estimator, Body&& body) {
        for (std::size_t slot = 0; slot < estimator.voxels().size(); ++slot)
            if (estimator.voxels()[slot].inBrick)
                body(slot, estimator.voxels()[slot].voxel);
    }
    /// Takes a guess that is a plane, or any guess when it is the last. Returns whether it was taken.
    bool settle(std::uint32_t voxel, const NormalEstimator::Guess& guess, bool last) {
        using Spread = NormalEstimator::Spread;
        if (guess.spread != Spread::plane && !last)
            return false;
        Vec3f sensor;
        const bool seen = m_sides.toSensor(voxel, sensor);
        Vec3f normal = guess.normal;
        if (guess.spread == Spread::unclear || (guess.spread == Spread::blob && seen))
            normal = seen ? sensor : Vec3f{0, 0, 1};
        m_normals[voxel] = seen && dot(normal, sensor) < 0 ? -normal : normal;
        m_turned[voxel] = seen;
        m_guessed += !seen;
        return true;
    }

    std::array<NormalEstimator, 3> m_estimators; ///< each looks farther than the one before
    const Sides& m_sides;
    std::span<Vec3f> m_normals;
    std::span<std::uint8_t> m_turned;
    std::vector<std::uint32_t> m_left, m_wanted; ///< voxels that need to look farther, ascending
    std::uint64_t m_guessed = 0;
};

} // namespace

Surfels makeSurfels(const VoxelGrid& voxels, const VoxelBricks& bricks, std::span<const std::uint32_t> around,
                    const Support& support, const NormalSource& source, const std::stop_token& stop) {
    const Sides sides(voxels, source);
    Surfels surfels;
    surfels.normals = Buffer<Vec3f>::host(voxels.size());
    auto turned = Buffer<std::uint8_t>::host(voxels.size()); // 1: the side is known
    surfels.guessed = parallelReduce(
        bricks.keys.size(), 16, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            SurfelMaker maker(voxels, bricks, support, sides, surfels.normals.span(), turned.span());
            for (std::size_t b = begin; b < end; ++b)
                maker.run(&around[b * kNeighbours]);
            return maker.guessed();
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (surfels.guessed > 0)
        orientLikeNeighbours(voxels, bricks, around, turned.span(), surfels.normals.span(), stop);
    return surfels;
}

} // namespace scanloupe::cpu
