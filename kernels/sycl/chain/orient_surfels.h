#pragma once
// Orients normals for SYCL along a spanning tree of the pairs of neighbours that agree best (after Hoppe et
// al., Surface reconstruction from unorganized points, 1992), see neighbour_pairs.h.
#include "kernels/field/surfels/neighbour_pairs.h"
#include "kernels/sycl/chain/surfels.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Normals, for the pairs of neighbours.
struct SurfelNormals {
    const Surfel* surfels; ///< [V]
    HD bool isFree(std::uint32_t voxel) const { return !surfels[voxel].oriented; }
    HD Vec3f normal(std::uint32_t voxel) const { return surfels[voxel].normal; }
};

/// Joins voxels into sets. @returns the link of each voxel to the root of its set, see OrientedLink @note
/// Synchronizes several times.
template <class Q>
DeviceArray<std::uint64_t, Q> joinedSets(Q& q, const NeighbourPairs<SurfelNormals>& pairs,
                                         std::size_t voxels) {
    constexpr int roundsPerReadback = 4;
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
                    const auto pair = pairs.at(~first[v]);
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
    const NeighbourPairs<SurfelNormals> pairs{bricks, positions, {normals}};
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
