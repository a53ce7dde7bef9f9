#pragma once
// Computes the signed distance for SYCL: selects cells, estimates normals, then averages the tangent planes
// around each node.
#include "kernels/field/core/field_element.h"
#include "kernels/field/core/sample_element.h"
#include "kernels/sycl/chain/distance_cells.h"
#include "kernels/sycl/chain/orient_surfels.h"

#include <cstdint>
#include <limits>

namespace scanloupe::sycl_chain {

/// Returns the signed distance at a node of a brick, from the voxels around it in the order z, y, x.
HD inline float distanceAt(const BricksView& bricks, std::size_t brick, Vec3i node,
                           const LatticeShape& lattice, Vec3i reach, Vec3f inverse,
                           const WeightedMean* points, const Surfel* normals) {
    const Vec3f first = lattice.position(bricks.firstNode(brick)), at = node.as<float>() * lattice.spacing;
    const std::uint32_t window = (1u << (2 * reach.x)) - 1; // 2 * reach voxels along each axis, since nodes
                                                            // are at the corners of voxels
    PlaneSum sum;
    for (int z = node.z - reach.z; z < node.z + reach.z; ++z)
        for (int y = node.y - reach.y; y < node.y + reach.y; ++y) {
            VoxelRun run = bricks.row(brick, y, z).within(node.x - reach.x, window);
            for (int n = run.count(); n > 0; --n, ++run.first) {
                const WeightedMean point = points[run.first];
                addPlane(sum, at - (point.mean - first), normals[run.first].normal, point.confidence,
                         inverse);
            }
        }
    return distanceOf(sum);
}

/// Fills in bricks, values and cells of a field whose lattice is set. @note Synchronizes.
template <class Q>
void fillSignedDistance(Q& q, const FieldInput<Q>& input, const NormalSource& source, const BrickCheck& check,
                        ScalarField& field) {
    // Along y and z, the field reaches two voxels to each side of an occupied one: one for cells, and one for
    // pinholes. The upper nodes of these cells add a third voxel above. Along x all neighbouring bricks are
    // listed, since a BrickRow includes the adjacent voxels.
    const FieldBricks<Q> owned = groupVoxels(q, input, listBricks(q, input, Vec3i{8, 2, 2}, Vec3i{8, 3, 3}));
    const BricksView bricks = owned.view();
    q.throwIfStopped();
    const FieldCells<Q> found = findCells(q, bricks, input.shape.dims);
    q.wait(); // waits, since `check` may throw
    if (check)
        check(found.list.size());
    const Surfels<Q> surfels = makeSurfels(q, input, bricks, owned.positions.data(), source);
    if (surfels.guessed > 0)
        propagateOrientation(q, input, bricks, owned.positions.data(), surfels);
    field.normalsGuessed = surfels.guessed;

    const std::size_t kept = found.list.size(), slices = bricks.count * kBrickEdge;
    field.brickKeys = q.template shared<std::uint64_t>(kept);
    field.values = q.template shared<float>(kept * kBrickNodes);
    field.cellMask = q.template shared<std::uint64_t>(kept * kBrickEdge);
    const NodeBits<Q> nodeBits{{q, slices}, {q, slices}};
    const DeviceArray<std::uint32_t, Q> placeOf(q, bricks.count);
    nodeBits.known.clear(); // clears the bits, since bricks that are not kept have no values
    nodeBits.inside.clear();
    const LatticeShape lattice = input.layout.lattice;
    const Vec3i reach = input.layout.nodes.reach;
    const Vec3f inverse = inverseSquares(input.layout.nodes.radius);
    const std::uint64_t* const nodes = found.nodes.data();
    const std::uint32_t* const list = found.list.data();
    std::uint32_t* const places = placeOf.data();
    const WeightedMean* const points = surfels.points.data();
    const Surfel* const normals = surfels.normals.data();
    std::uint64_t* const keys = field.brickKeys.data();
    float* const values = field.values.data();
    q.forEach(kept, [=](std::size_t place) {
        keys[place] = bricks.keys[list[place]];
        places[list[place]] = std::uint32_t(place);
    });
    q.forEach(kept * kBrickNodes, [=](std::size_t i) {
        const std::uint32_t brick = list[i / kBrickNodes];
        const unsigned n = unsigned(i % kBrickNodes);
        const bool isWanted = (nodes[std::size_t{brick} * kBrickEdge + n / 64] >> n % 64 & 1) != 0;
        values[i] = isWanted ? distanceAt(bricks, brick, nodeAt(n), lattice, reach, inverse, points, normals)
                             : std::numeric_limits<float>::quiet_NaN();
    });
    auto* const known = reinterpret_cast<std::uint8_t*>(nodeBits.known.data());
    auto* const inside = reinterpret_cast<std::uint8_t*>(nodeBits.inside.data());
    q.forEach(kept * kBrickRows, [=](std::size_t row) {
        const std::size_t out = std::size_t{list[row / kBrickRows]} * kBrickRows + row % kBrickRows;
        unsigned knownBits = 0, insideBits = 0;
        for (int x = 0; x < kBrickEdge; ++x) {
            const float value = values[row * kBrickEdge + std::size_t(x)];
            knownBits |= unsigned{isSample(value)} << x;
            insideBits |= unsigned{isInside(value, 0, true)} << x;
        }
        known[out] = std::uint8_t(knownBits);
        inside[out] = std::uint8_t(insideBits);
    });
    q.wait();
    q.throwIfStopped();
    closePinholes(q, bricks, found, nodeBits, field.cellMask.data());
    if (surfels.guessed > 0)
        removeReversedCells(q, bricks, found, nodeBits, places, normals, values, lattice.spacing,
                            field.cellMask.data());
    findRange(q, field);
}

} // namespace scanloupe::sycl_chain
