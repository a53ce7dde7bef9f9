#include "kernels/field/surfels.h"

#include "kernels/core/parallel.h"
#include "kernels/field/field_cell.h"
#include "kernels/field/voxel_block.h"

#include <algorithm>
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

    /// False when too few points are near to span a plane.
    bool estimate(std::size_t slot, Vec3f& normal) const {
        const BlockVoxel& at = m_block.voxels()[slot];
        const Vec3f middle = m_points[slot].mean;
        Moments moments;
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
                    if (left > 0)
                        moments.add(d, left * point.trust);
                }
            }
        }
        if (moments.points < 4)
            return false;
        const Eigen3f eigen = symmetricEigen(moments.covariance());
        normal = normalized(eigen.vectors[0]);
        return eigen.values[1] > 0.02f * eigen.values[2] && isFinite(normal);
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

/// Twice as far, as the bricks around allow.
Support wider(const Support& support) {
    Support result = support;
    for (int axis = 0; axis < 3; ++axis) {
        result.reach[axis] = std::min(2 * support.reach[axis], kBrickEdge - 1);
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

} // namespace

Surfels makeSurfels(const VoxelGrid& voxels, const VoxelBricks& bricks, std::span<const std::uint32_t> around,
                    const Support& support, const NormalSource& source, const std::stop_token& stop) {
    const Sides sides(voxels, source);
    const Support wide = wider(support);
    Surfels surfels;
    surfels.normals = Buffer<Vec3f>::host(voxels.size());
    auto turned = Buffer<std::uint8_t>::host(voxels.size()); // 1: the side is known
    surfels.guessed = parallelReduce(
        bricks.keys.size(), 8, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            NormalEstimator near(voxels, bricks, support), far(voxels, bricks, wide);
            std::vector<std::uint32_t> poor; // voxels that need to look farther
            std::uint64_t guessed = 0;
            const auto finish = [&](std::uint32_t voxel, Vec3f normal, bool known) {
                Vec3f sensor;
                const bool seen = sides.toSensor(voxel, sensor);
                if (!known)
                    normal = seen ? sensor : Vec3f{0, 0, 1};
                surfels.normals[voxel] = seen && dot(normal, sensor) < 0 ? -normal : normal;
                turned[voxel] = seen;
                guessed += !seen;
            };
            for (std::size_t b = begin; b < end; ++b) {
                poor.clear();
                near.load(&around[b * kNeighbours]);
                for (std::size_t slot = 0; slot < near.voxels().size(); ++slot) {
                    const BlockVoxel& v = near.voxels()[slot];
                    if (!v.inBrick)
                        continue;
                    Vec3f normal;
                    if (sides.fromFile(v.voxel, normal)) {
                        surfels.normals[v.voxel] = normal;
                        turned[v.voxel] = 1;
                    } else if (near.estimate(slot, normal)) {
                        finish(v.voxel, normal, true);
                    } else {
                        poor.push_back(v.voxel);
                    }
                }
                if (poor.empty())
                    continue;
                far.load(&around[b * kNeighbours]);
                for (std::size_t slot = 0; slot < far.voxels().size(); ++slot) {
                    const BlockVoxel& v = far.voxels()[slot];
                    if (!v.inBrick || !std::binary_search(poor.begin(), poor.end(), v.voxel))
                        continue;
                    Vec3f normal;
                    const bool known = far.estimate(slot, normal);
                    finish(v.voxel, normal, known);
                }
            }
            return guessed;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (surfels.guessed > 0)
        orientLikeNeighbours(voxels, bricks, around, turned.span(), surfels.normals.span(), stop);
    return surfels;
}

} // namespace scanloupe::cpu
