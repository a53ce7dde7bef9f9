#pragma once
// Estimates surfels for SYCL: a tangent plane for each voxel, whose normal is estimated from a neighbourhood
// that grows until a plane is found.
#include "kernels/field/core/surfel_element.h"
#include "kernels/sycl/chain/field_bricks.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// A voxel's mean and its confidence.
struct WeightedMean {
    Vec3f mean;
    float confidence;
};

/// Mean vectors of voxels in memory that kernels access.
template <class Q>
class ReachableColumns {
public:
    ReachableColumns(Q& q, const VectorColumns& columns, std::size_t voxels)
        : m_x(q, columns.x, columns.exist() ? voxels : 0), m_y(q, columns.y, columns.exist() ? voxels : 0),
          m_z(q, columns.z, columns.exist() ? voxels : 0), m_offset(columns.offset) {}
    VectorColumns view() const { return {m_x.data(), m_y.data(), m_z.data(), m_offset}; }

private:
    Reachable<float, Q> m_x, m_y, m_z;
    Vec3f m_offset;
};

template <class Q>
struct Surfels {
    DeviceArray<WeightedMean, Q> points; ///< [V] means of the voxels
    DeviceArray<Surfel, Q> normals;      ///< [V] normals of the voxels
    std::uint64_t guessed = 0;           ///< number of voxels whose normals have no known orientation
};

/// Returns the moments of the means around a voxel, summed in the order z, y, x.
HD inline WeightedMoments momentsAround(const BricksView& bricks, VoxelPosition place,
                                        const WeightedMean* points, std::uint32_t voxel, Vec3i reach,
                                        Vec3f inverse) {
    WeightedMoments moments;
    const Vec3f middle = points[voxel].mean;
    const Vec3i at = place.at();
    const std::uint32_t window = (1u << (2 * reach.x + 1)) - 1;
    for (int z = at.z - reach.z; z <= at.z + reach.z; ++z)
        for (int y = at.y - reach.y; y <= at.y + reach.y; ++y) {
            VoxelRun run = bricks.row(place.brick, y, z).within(at.x - reach.x, window);
            for (int n = run.count(); n > 0; --n, ++run.first)
                moments.add(points[run.first].mean - middle, points[run.first].confidence, inverse);
        }
    return moments;
}

/// Same as cpu::makeSurfels, but normals without a known orientation are not oriented yet. @note
/// Synchronizes.
template <class Q>
Surfels<Q> makeSurfels(Q& q, const FieldInput<Q>& input, const BricksView& bricks,
                       const VoxelPosition* positions, const NormalSource& from) {
    const std::size_t voxels = input.voxels;
    const ReachableColumns<Q> normalColumns(q, from.normals, voxels), sensorColumns(q, from.sensors, voxels);
    const SurfelSource source{input.means(),        input.counts(),          normalColumns.view(),
                              sensorColumns.view(), from.sensor.has_value(), from.sensor.value_or(Vec3f{})};
    Surfels<Q> surfels{{q, voxels}, {q, voxels}};
    WeightedMean* const points = surfels.points.data();
    Surfel* const normals = surfels.normals.data();
    q.forEach(voxels, [=](std::size_t v) { points[v] = {source.mean(v), confidence(source.counts[v])}; });
    // Voxels that need a larger support, in arbitrary order, since they are independent of each other.
    DeviceArray<std::uint32_t, Q> wanted(q, voxels), pending(q, voxels);
    const DeviceArray<std::uint32_t, Q> count(q, 1);
    std::size_t items = voxels;
    constexpr int scales = int(std::size(kSupportFactors));
    for (int scale = 0; scale < scales && items > 0; ++scale) {
        const Support support = scaledSupport(input.layout.normals, kSupportFactors[scale]);
        const Vec3i reach = support.reach;
        const Vec3f inverse = inverseSquares(support.radius);
        const bool first = scale == 0, last = scale + 1 == scales;
        const std::uint32_t* const list = wanted.data();
        std::uint32_t *const rest = pending.data(), *const left = count.data();
        count.clear();
        q.forEach(items, [=](std::size_t i) {
            const std::uint32_t voxel = first ? std::uint32_t(i) : list[i];
            Surfel surfel;
            bool accepted = first && source.fromFile(voxel, surfel.normal);
            surfel.oriented = accepted;
            if (!accepted)
                accepted = acceptEstimate(
                    source, voxel,
                    estimateNormal(momentsAround(bricks, positions[voxel], points, voxel, reach, inverse)),
                    last, surfel);
            if (accepted)
                normals[voxel] = surfel;
            else
                rest[Q::add(left, 1u)] = voxel;
        });
        items = count.read(0);
        q.throwIfStopped();
        std::swap(wanted, pending);
    }
    const DeviceArray<std::uint64_t, Q> guessed(q, 1);
    guessed.clear();
    std::uint64_t* const sum = guessed.data();
    constexpr std::size_t chunk = 64;
    q.forEach((voxels + chunk - 1) / chunk, [=](std::size_t c) {
        const std::size_t end = voxels < (c + 1) * chunk ? voxels : (c + 1) * chunk;
        std::uint64_t mine = 0;
        for (std::size_t v = c * chunk; v < end; ++v)
            mine += normals[v].oriented ? 0 : 1;
        if (mine > 0)
            Q::add(sum, mine);
    });
    surfels.guessed = guessed.read(0);
    return surfels;
}

} // namespace scanloupe::sycl_chain
