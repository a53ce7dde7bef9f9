#pragma once
// Orients normals for SYCL along a spanning tree of the pairs of neighbours that agree best (after Hoppe et
// al., Surface reconstruction from unorganized points, 1992). The CPU processes all pairs in a fixed order
// and joins two sets wherever a pair connects them (Kruskal); here each set finds its first outgoing pair,
// and all sets join at once, in several rounds (Boruvka). No two pairs have the same rank in the order, so
// both algorithms find the same tree and flip the same voxels.
#include "kernels/field/surfels/orient_element.h"
#include "kernels/sycl/chain/surfels.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Link of a voxel to another voxel: the other's index, shifted left by one bit, and whether their normals
/// are opposed. Stored in one word, so that items which follow links while others shorten them read both
/// parts at once.
struct OrientedLink {
    std::uint64_t word;

    HD static OrientedLink to(std::uint32_t voxel, bool opposed) {
        return {std::uint64_t{voxel} << 1 | (opposed ? 1 : 0)};
    }
    HD std::uint32_t voxel() const { return std::uint32_t(word >> 1); }
    HD bool opposed() const { return (word & 1) != 0; }
    /// Returns the link that results from following this link, then `next`.
    HD OrientedLink then(OrientedLink next) const { return {next.word ^ (word & 1)}; }
};

/// Pairs of neighbours whose normals should agree, and the order of these pairs.
struct NeighbourPairs {
    static constexpr int kFirst = 14; ///< skips half of the 26 neighbours, so that each pair occurs once

    BricksView bricks;
    const VoxelPosition* positions; ///< [V] positions of the voxels
    const Surfel* normals;          ///< [V] normals of the voxels

    HD bool isFree(std::uint32_t voxel) const { return !normals[voxel].oriented; }
    HD float agreement(std::uint32_t a, std::uint32_t b) const {
        return dot(normals[a].normal, normals[b].normal);
    }
    HD VoxelRun neighbour(VoxelPosition place, int step) const {
        const Vec3i at = place.at() + Vec3i{step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        return bricks.row(place.brick, at.y, at.z).within(at.x, 1);
    }
    /// Calls `body(other, order)` for each neighbour of a voxel in the later half of its neighbourhood.
    /// @param order rank of the pair
    template <class Body>
    HD void forEach(std::uint32_t voxel, Body&& body) const {
        const VoxelPosition place = positions[voxel];
        for (int step = kFirst; step < int(kNeighbours); ++step) {
            const VoxelRun other = neighbour(place, step);
            if (other.bits == 0 || !isFree(other.first))
                continue;
            const int level = agreementClass(agreement(voxel, other.first));
            body(other.first, std::uint64_t(level) << 60 | std::uint64_t{place.brick} << 13 |
                                  std::uint64_t{place.local} << 4 | std::uint64_t(step - kFirst));
        }
    }
    struct Pair {
        std::uint32_t a, b;
        bool opposed;
    };
    /// Returns the pair at a rank of the order.
    HD Pair at(std::uint64_t order) const {
        const VoxelPosition place{std::uint32_t(order >> 13), std::uint32_t(order >> 4 & 511u)};
        const BrickRow row = bricks.rows[std::size_t{place.brick} * kBrickRows + (place.local >> 3)];
        const std::uint32_t a = row.within(place.at().x, 1).first,
                            b = neighbour(place, int(order & 15u) + kFirst).first;
        return {a, b, agreement(a, b) < 0};
    }
};

/// Joins voxels into sets. @returns the link of each voxel to the root of its set, see OrientedLink @note
/// Synchronizes several times.
template <class Q>
DeviceArray<std::uint64_t, Q> joinedSets(Q& q, const NeighbourPairs& pairs, std::size_t voxels) {
    constexpr int roundsPerReadback = 4;
    constexpr std::uint64_t orderBits = ~(std::uint64_t{3} << 60);
    DeviceArray<std::uint64_t, Q> owned(q, voxels);
    const DeviceArray<std::uint64_t, Q> hookWords(q, voxels), firstPairs(q, voxels);
    const DeviceArray<std::uint8_t, Q> done(q, voxels);
    const DeviceArray<std::uint32_t, Q> counts(q, 1);
    std::uint64_t *const links = owned.data(), *const hooks = hookWords.data();
    // For each root: complement of the order of the set's first pair; 0: no pair.
    std::uint64_t* const first = firstPairs.data();
    std::uint8_t* const interior = done.data(); // whether all pairs of the voxel are within its set
    std::uint32_t* const joined = counts.data();
    done.clear();
    q.forEach(voxels, [=](std::size_t v) { links[v] = OrientedLink::to(std::uint32_t(v), false).word; });
    for (bool more = true; more;) {
        for (int round = 0; round < roundsPerReadback; ++round) {
            counts.clear();
            firstPairs.clear();
            q.forEach(voxels, [=](std::size_t i) {
                const auto v = std::uint32_t(i);
                if (interior[v] != 0 || !pairs.isFree(v))
                    return;
                const std::uint32_t mine = OrientedLink{links[v]}.voxel();
                bool isInterior = true;
                pairs.forEach(v, [&](std::uint32_t other, std::uint64_t order) {
                    const std::uint32_t theirs = OrientedLink{links[other]}.voxel();
                    if (mine == theirs)
                        return;
                    isInterior = false;
                    for (const std::uint32_t root : {mine, theirs})
                        if (~order > Q::load(first + root))
                            Q::max(first + root, ~order);
                });
                if (isInterior)
                    interior[v] = 1;
            });
            q.forEach(voxels, [=](std::size_t i) {
                const auto v = std::uint32_t(i);
                OrientedLink hook = OrientedLink::to(v, false);
                if (OrientedLink{links[v]}.voxel() == v && first[v] != 0) {
                    const auto pair = pairs.at(~first[v] & orderBits);
                    const OrientedLink a{links[pair.a]}, b{links[pair.b]};
                    const std::uint32_t other = a.voxel() == v ? b.voxel() : a.voxel();
                    // if both sets chose this pair, the lower root remains a root
                    if (first[other] != first[v] || other < v) {
                        hook = OrientedLink::to(other, (a.opposed() != b.opposed()) != pair.opposed);
                        Q::add(joined, 1u);
                    }
                }
                hooks[v] = hook.word;
            });
            // Pointer jumping: each root follows the hooks to a root that remains.
            q.forEach(voxels, [=](std::size_t v) {
                OrientedLink mine{Q::load(hooks + v)};
                for (;;) {
                    const OrientedLink next{Q::load(hooks + mine.voxel())};
                    if (next.voxel() == mine.voxel())
                        return;
                    mine = mine.then(next);
                    Q::set(hooks + v, mine.word); // shortens the path for other items
                }
            });
            q.forEach(voxels, [=](std::size_t v) {
                const OrientedLink mine{links[v]};
                links[v] = mine.then({hooks[mine.voxel()]}).word;
            });
        }
        more = counts.read(0) > 0;
        q.throwIfStopped();
    }
    return owned;
}

/// Adds the sums of some voxels that are all in one component. @param component null: no voxels @tparam Sums
/// indices of the sums to add
template <class Q, class... Sums>
void addTo(ComponentSums* component, const ComponentSums& mine, Sums... sums) {
    if (component)
        (Q::add(reinterpret_cast<std::uint64_t*>(component) + sums,
                reinterpret_cast<const std::uint64_t*>(&mine)[sums]),
         ...);
}

/// Same as cpu::propagateOrientation. @note Synchronizes several times.
template <class Q>
void propagateOrientation(Q& q, const FieldInput<Q>& input, const BricksView& bricks,
                          const VoxelPosition* positions, const Surfels<Q>& surfels) {
    const std::size_t voxels = input.voxels;
    const WeightedMean* const points = surfels.points.data();
    Surfel* const normals = surfels.normals.data();
    const NeighbourPairs pairs{bricks, positions, normals};
    const DeviceArray<std::uint64_t, Q> owned = joinedSets(q, pairs, voxels);
    const std::uint64_t* const links = owned.data();
    const DeviceArray<std::uint32_t, Q> numbers(q, voxels), lowestVoxels(q, voxels), count(q, 1);
    std::uint32_t* const number = numbers.data(); // for each root: number of its component
    // For each root: complement of the lowest voxel of its set.
    std::uint32_t* const lowest = lowestVoxels.data();
    std::uint32_t* const components = count.data();
    count.clear();
    lowestVoxels.clear();
    q.forEach(voxels, [=](std::size_t i) {
        const auto v = std::uint32_t(i);
        if (!pairs.isFree(v))
            return;
        const std::uint32_t root = OrientedLink{links[v]}.voxel();
        if (root == v)
            number[v] = Q::add(components, 1u); // components are numbered in arbitrary order
        if (~v > Q::load(lowest + root))
            Q::max(lowest + root, ~v);
    });
    const DeviceArray<ComponentSums, Q> componentSums(q, count.read(0));
    componentSums.clear();
    ComponentSums* const sums = componentSums.data();
    const FixedPointScale scale = FixedPointScale::of(input.shape);
    constexpr std::size_t chunk = 64; // number of voxels per item; neighbouring voxels are mostly in one
                                      // component, to which an item adds once
    const std::size_t chunks = (voxels + chunk - 1) / chunk;
    // Calls `add(mine, component, voxel)` for the free voxels, then adds the sums with indices `which` to the
    // components.
    const auto addUp = [&](auto add, auto... which) {
        q.forEach(chunks, [=](std::size_t c) {
            const std::size_t end = voxels < (c + 1) * chunk ? voxels : (c + 1) * chunk;
            ComponentSums* component = nullptr;
            ComponentSums mine;
            for (std::size_t v = c * chunk; v < end; ++v) {
                if (normals[v].oriented)
                    continue;
                ComponentSums* const own = sums + number[OrientedLink{links[v]}.voxel()];
                if (own != component) {
                    addTo<Q>(component, mine, which...);
                    component = own;
                    mine = {};
                }
                add(mine, *own, v);
            }
            addTo<Q>(component, mine, which...);
        });
    };
    addUp(
        [=](ComponentSums& mine, const ComponentSums&, std::size_t v) {
            const OrientedLink link{links[v]};
            if (link.opposed() != OrientedLink{links[~lowest[link.voxel()]]}.opposed())
                normals[v].normal = -normals[v].normal; // makes the normal agree with the lowest voxel of its
                                                        // component
            scale.addPosition(mine, points[v].mean);
        },
        0, 1, 2, 3); // indices of the sums: centre, number of voxels
    addUp([=](ComponentSums& mine, const ComponentSums& all,
              std::size_t v) { scale.addNormal(mine, all, points[v].mean, normals[v].normal); },
          4, 5, 6); // indices of the sums: outwards, extent, upwards
    q.forEach(voxels, [=](std::size_t v) {
        if (!normals[v].oriented && pointsInwards(sums[number[OrientedLink{links[v]}.voxel()]]))
            normals[v].normal = -normals[v].normal;
    });
}

} // namespace scanloupe::sycl_chain
