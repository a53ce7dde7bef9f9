#pragma once
// The pairs of neighbours along which normals are oriented, and links between voxels, for all devices. On a
// device each set of voxels finds its first outgoing pair, and all sets join at once, round after round
// (Boruvka), where the CPU processes all pairs in a fixed order (Kruskal). No two pairs have the same rank in
// that order, so that both find the same tree and flip the same voxels.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/brick_rows.h"
#include "kernels/field/surfels/orient_element.h"

#include <cstdint>

namespace scanloupe {

/// Link of a voxel to another: the other's index, shifted by one, and whether their normals are opposed. One
/// word, so that threads which follow links while others shorten them read both parts at once.
struct OrientedLink {
    std::uint64_t word;

    HD static OrientedLink to(std::uint32_t voxel, bool opposed) {
        return {std::uint64_t{voxel} << 1 | (opposed ? 1 : 0)};
    }
    HD std::uint32_t voxel() const { return static_cast<std::uint32_t>(word >> 1); }
    HD bool opposed() const { return (word & 1) != 0; }
    /// This link followed by `next`.
    HD OrientedLink then(OrientedLink next) const { return {next.word ^ (word & 1)}; }
};

/// The pairs of neighbours whose normals are to agree, and their order.
/// @tparam Normals has `isFree(voxel)`, whether the orientation is unknown, and `normal(voxel)`
template <class Normals>
struct NeighbourPairs {
    static constexpr int kFirst = 14; ///< half of the 26 neighbours: each pair once

    BricksView bricks;
    const VoxelPosition* positions; ///< [V]
    Normals normals;

    HD bool isFree(std::uint32_t voxel) const { return normals.isFree(voxel); }
    HD float agreement(std::uint32_t a, std::uint32_t b) const {
        return dot(normals.normal(a), normals.normal(b));
    }
    HD VoxelRun neighbour(VoxelPosition place, int step) const {
        const Vec3i at = place.at() + Vec3i{step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        return bricks.row(place.brick, at.y, at.z).within(at.x, 1);
    }
    /// Calls `body(other, order)` for the later neighbours of a voxel.
    template <class Body>
    HD void forEach(std::uint32_t voxel, Body&& body) const {
        const VoxelPosition place = positions[voxel];
        for (int step = kFirst; step < static_cast<int>(kNeighbours); ++step) {
            const VoxelRun other = neighbour(place, step);
            if (other.bits == 0 || !isFree(other.first))
                continue;
            const int level = agreementClass(agreement(voxel, other.first));
            body(other.first, static_cast<std::uint64_t>(level) << 60 | std::uint64_t{place.brick} << 13 |
                                  std::uint64_t{place.local} << 4 |
                                  static_cast<std::uint64_t>(step - kFirst));
        }
    }
    struct Pair {
        std::uint32_t a, b;
        bool opposed;
    };
    /// The pair at this rank of the order; the class of its agreement does not matter.
    HD Pair at(std::uint64_t order) const {
        const VoxelPosition place{static_cast<std::uint32_t>(order >> 13),
                                  static_cast<std::uint32_t>(order >> 4 & 511u)};
        const BrickRow row = bricks.rows[std::size_t{place.brick} * kBrickRows + (place.local >> 3)];
        const std::uint32_t a = row.within(place.at().x, 1).first,
                            b = neighbour(place, static_cast<int>(order & 15u) + kFirst).first;
        return {a, b, agreement(a, b) < 0};
    }
};

} // namespace scanloupe
