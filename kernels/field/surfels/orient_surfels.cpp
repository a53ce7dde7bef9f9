// Orients normals on the CPU along a spanning tree of the pairs of neighbours that agree best (after Hoppe et
// al., Surface reconstruction from unorganized points, 1992).
#include "kernels/core/parallel.h"
#include "kernels/field/core/voxel_block.h"
#include "kernels/field/surfels/orient_element.h"
#include "kernels/field/surfels/surfels.h"

#include <numeric>

namespace scanloupe::cpu {

namespace {

/// Disjoint sets (union-find) of voxels whose normals are oriented relative to each other. Each voxel stores
/// whether its normal is flipped relative to its parent.
class OrientedSets {
public:
    explicit OrientedSets(std::size_t size)
        : m_parents(Buffer<std::uint32_t>::host(size)), m_flips(Buffer<std::uint8_t>::host(size)) {
        std::iota(m_parents.span().begin(), m_parents.span().end(), 0u);
        std::fill(m_flips.span().begin(), m_flips.span().end(), std::uint8_t{0});
    }
    struct Root {
        std::uint32_t root;
        std::uint8_t flip;
    };
    Root find(std::uint32_t voxel) {
        Root place{voxel, 0};
        while (m_parents[place.root] != place.root) {
            place.flip ^= m_flips[place.root];
            place.root = m_parents[place.root];
        }
        std::uint8_t flip = place.flip;
        while (m_parents[voxel] != place.root) { // path compression
            const std::uint32_t next = m_parents[voxel];
            const std::uint8_t own = m_flips[voxel];
            m_parents[voxel] = place.root;
            m_flips[voxel] = flip;
            flip ^= own;
            voxel = next;
            if (voxel == place.root)
                break;
        }
        return place;
    }
    /// Joins two sets. `opposed`: the normals of both voxels must point in opposite directions; otherwise
    /// they must agree.
    void join(Root a, Root b, bool opposed) {
        const std::uint8_t flip = a.flip ^ b.flip ^ static_cast<std::uint8_t>(opposed);
        if (a.root < b.root)
            std::swap(a, b); // the root of a set is its lowest voxel
        m_parents[a.root] = b.root;
        m_flips[a.root] = flip;
    }

private:
    Buffer<std::uint32_t> m_parents;
    Buffer<std::uint8_t> m_flips;
};

} // namespace

void propagateOrientation(const VoxelGrid& voxels, const VoxelBricks& bricks,
                          std::span<const std::uint32_t> around, std::span<const std::uint8_t> fixed,
                          std::span<Vec3f> normals, const std::stop_token& stop) {
    OrientedSets sets(voxels.size());
    VoxelBlock block(bricks, {1, 1, 1});
    // Kruskal's algorithm with three classes of agreement instead of sorting all pairs
    for (int level = 0; level < kAgreementClasses; ++level) {
        for (std::size_t b = 0; b < bricks.keys.size(); ++b) {
            if (stop.stop_requested())
                throw Cancelled();
            block.load(&around[b * kNeighbours]);
            for (const BlockVoxel& v : block.voxels()) {
                if (!v.inBrick || fixed[v.voxel])
                    continue;
                for (int step = 14; step < 27; ++step) { // half of the 26 neighbours, so that each pair is
                                                         // visited once
                    const int x = v.x + step % 3 - 1, y = v.y + step / 3 % 3 - 1, z = v.z + step / 9 - 1;
                    if ((block.rowMask(y, z) >> (x + 1) & 1) == 0)
                        continue;
                    const std::uint32_t other = block.voxels()[block.slot(x, y, z)].voxel;
                    const float agreement = dot(normals[v.voxel], normals[other]);
                    if (fixed[other] || agreementClass(agreement) > level)
                        continue;
                    const auto mine = sets.find(v.voxel), theirs = sets.find(other);
                    if (mine.root != theirs.root)
                        sets.join(mine, theirs, agreement < 0);
                }
            }
        }
    }
    std::vector<std::uint32_t> setOf(voxels.size());
    std::vector<ComponentSums> sums;
    const auto forAll = [&](auto&& body) {
        for (std::size_t v = 0; v < voxels.size(); ++v) {
            if (v % 65536 == 0 && stop.stop_requested())
                throw Cancelled();
            if (!fixed[v])
                body(static_cast<std::uint32_t>(v));
        }
    };
    const FixedPointScale scale = FixedPointScale::of(voxels.shape);
    const auto mean = [&](std::uint32_t v) {
        return Vec3f{voxels.mean(0)[v], voxels.mean(1)[v], voxels.mean(2)[v]};
    };
    forAll([&](std::uint32_t v) {
        const auto place = sets.find(v);
        if (place.root == v)
            sums.emplace_back();
        setOf[v] = place.root == v ? static_cast<std::uint32_t>(sums.size() - 1) : setOf[place.root];
        if (place.flip)
            normals[v] = -normals[v];
        scale.addPosition(sums[setOf[v]], mean(v));
    });
    forAll([&](std::uint32_t v) {
        ComponentSums& set = sums[setOf[v]];
        scale.addNormal(set, set, mean(v), normals[v]);
    });
    forAll([&](std::uint32_t v) {
        if (pointsInwards(sums[setOf[v]]))
            normals[v] = -normals[v];
    });
}

} // namespace scanloupe::cpu
