#pragma once
// Computes occupancy and density for SYCL: each node gathers the voxels within reach, in the order z, y, x.
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/kinds/splat_element.h"
#include "kernels/sycl/chain/field_bricks.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// The box of voxels at most `reach` away from a node along each axis.
struct NodeWindow {
    Vec3i reach;

    /// Calls `body(run, y, z)` for each row of voxels around a node of the brick, in ascending order; y and z
    /// are relative to the window's first row.
    template <class Body>
    HD void forEachRun(const BricksView& bricks, std::size_t brick, Vec3i node, Body&& body) const {
        const std::uint32_t bits = (1u << (2 * reach.x + 1)) - 1;
        for (int z = 0; z <= 2 * reach.z; ++z)
            for (int y = 0; y <= 2 * reach.y; ++y) {
                const VoxelRun run = bricks.row(brick, node.y + y - reach.y, node.z + z - reach.z)
                                         .within(node.x - reach.x, bits);
                if (run.bits != 0)
                    body(run, y, z);
            }
    }
};

/// Computes smoothed occupancy; for a reach of 0 there is a single weight of 1.
struct SmoothedOccupancy {
    const float* weights; ///< same as in smoothingWeights

    HD float operator()(const BricksView& bricks, const NodeWindow& window, std::size_t brick,
                        Vec3i node) const {
        return smoothedOccupancy(weights, window.reach * 2 + Vec3i{1, 1, 1},
                                 [&](auto&& body) { window.forEachRun(bricks, brick, node, body); });
    }
};

struct PointDensity {
    VectorColumns means;
    const std::uint32_t* counts;
    float perPoint; ///< factor per point, see triweightNormalization
    LatticeShape lattice;
    Vec3f inverse; ///< 1 / radius^2 along each axis

    HD float operator()(const BricksView& bricks, const NodeWindow& window, std::size_t brick,
                        Vec3i node) const {
        const auto pointOf = [&](std::uint32_t voxel) {
            return WeightedPoint{means.at(voxel), perPoint * float(counts[voxel])};
        };
        return pointDensity(node.as<float>() * lattice.spacing, lattice.position(bricks.firstNode(brick)),
                            inverse, pointOf,
                            [&](auto&& body) { window.forEachRun(bricks, brick, node, body); });
    }
};

/// Fills in bricks, values and cells of a field whose lattice is set. @note Synchronizes.
template <class Q, class Kind>
void gatherSplats(Q& q, const FieldInput<Q>& input, const Kind& kind, const BrickCheck& check,
                  ScalarField& field) {
    // adds a border of zeros around the nodes within reach, which closes the surface
    const Vec3i rim = input.layout.nodes.reach + Vec3i{1, 1, 1};
    const FieldBricks<Q> owned = groupVoxels(q, input, listBricks(q, input, rim, rim));
    q.throwIfStopped();
    const BricksView bricks = owned.view();
    q.wait(); // waits, since `check` may throw
    if (check)
        check(bricks.count);
    field.brickKeys = q.template shared<std::uint64_t>(bricks.count);
    field.values = q.template shared<float>(bricks.count * kBrickNodes);
    field.cellMask = q.template shared<std::uint64_t>(bricks.count * kBrickEdge);
    q.copy(field.brickKeys.data(), bricks.keys, field.brickKeys.bytes());
    const NodeWindow window{input.layout.nodes.reach};
    const Vec3i dims = input.layout.lattice.dims;
    float* const values = field.values.data();
    std::uint64_t* const cells = field.cellMask.data();
    q.forEach(bricks.count * kBrickNodes, [=](std::size_t i) {
        const std::size_t brick = i / kBrickNodes;
        const Vec3i node = nodeAt(unsigned(i % kBrickNodes));
        values[i] = borderValue(bricks.firstNode(brick) + node, dims, kind(bricks, window, brick, node));
    });
    q.forEach(bricks.count * kBrickEdge, [=](std::size_t word) {
        const Vec3i left = dims - Vec3i{1, 1, 1} - bricks.firstNode(word / kBrickEdge);
        cells[word] = bits::before(left, int(word % kBrickEdge));
    });
    findRange(q, field);
}

template <class Q>
void fillOccupancy(Q& q, const FieldInput<Q>& input, const BrickCheck& check, ScalarField& field) {
    const std::vector<float> weights =
        input.layout.nodes.reach == Vec3i{} ? std::vector<float>{1} : smoothingWeights(input.layout);
    const Reachable<float, Q> reachable(q, std::span<const float>(weights));
    gatherSplats(q, input, SmoothedOccupancy{reachable.data()}, check, field);
}

template <class Q>
void fillDensity(Q& q, const FieldInput<Q>& input, const BrickCheck& check, ScalarField& field) {
    const Vec3f radius = input.layout.nodes.radius;
    gatherSplats(q, input,
                 PointDensity{input.means(), input.counts(), triweightNormalization(radius),
                              input.layout.lattice, inverseSquares(radius)},
                 check, field);
}

} // namespace scanloupe::sycl_chain
