// Computes occupancy and density on the CPU: each voxel adds to the nodes within reach.
#include "kernels/core/parallel.h"
#include "kernels/field/core/field_common.h"
#include "kernels/field/core/field_element.h"
#include "kernels/field/core/voxel_block.h"
#include "kernels/field/kinds/field_kinds.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cpu {

namespace {

/// The nodes of a brick that are within reach of a voxel.
struct Box {
    Vec3i low, high;
};
Box reached(const BlockVoxel& v, Vec3i reach) {
    const Vec3i at{v.x, v.y, v.z};
    return {max(at - reach, Vec3i{}), min(at + reach, Vec3i{kBrickEdge - 1, kBrickEdge - 1, kBrickEdge - 1})};
}

/// Sets the nodes at the lattice's border to zero, so that the surface closes there.
void zeroBorder(Vec3i firstNode, Vec3i dims, float* values) {
    const Vec3i left = dims - firstNode;
    const bool inner = firstNode.x > 0 && firstNode.y > 0 && firstNode.z > 0 && left.x > kBrickEdge &&
                       left.y > kBrickEdge && left.z > kBrickEdge;
    for (int i = 0; !inner && i < kBrickNodes; ++i)
        values[i] = borderValue(firstNode + Vec3i{i % kBrickEdge, i / kBrickEdge % kBrickEdge, i / 64}, dims,
                                values[i]);
}

/// Returns the bricks of all nodes that receive a value, and a border of bricks with zeros around these
/// nodes, which closes the surface.
Buffer<std::uint64_t> splatBricks(const VoxelBricks& bricks, const Support& support,
                                  const std::stop_token& stop) {
    const Vec3i rim = support.reach + Vec3i{1, 1, 1};
    return bricksInReach(bricks, rim, rim, stop);
}

/// Allocates the field's bricks with zero values, and calls `fill(block, firstNode, values)` for each brick.
template <class Fill>
void fillBricks(const VoxelBricks& bricks, const FieldLayout& layout, const BrickCheck& check,
                ScalarField& field, StepTimer& steps, const std::stop_token& stop, Fill&& fill) {
    field.brickKeys = splatBricks(bricks, layout.nodes, stop);
    if (check)
        check(field.brickCount());
    field.values = Buffer<float>::host(field.brickCount() * kBrickNodes);
    fillLatticeCells(field, stop);
    const auto around = findNeighbours(field.brickKeys.span(), bricks.keys.span(), field.brickDims, stop);
    steps.end("bricks");
    const std::size_t grain = layout.nodes.reach == Vec3i{} ? 256 : 8;
    parallelFor(field.brickCount(), grain, stop, [&](std::size_t begin, std::size_t end) {
        VoxelBlock block(bricks, layout.nodes.reach);
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i firstNode = brickOf(field.brickKeys[b], field.brickDims) * kBrickEdge;
            float* values = &field.values[b * kBrickNodes];
            std::fill_n(values, kBrickNodes, 0.0f);
            block.load(&around[b * kNeighbours]);
            fill(block, firstNode, values);
            zeroBorder(firstNode, field.lattice.dims, values);
        }
    });
    findRange(field, stop);
    steps.end("splat");
}

} // namespace

void fillOccupancy(const VoxelGrid&, const VoxelBricks& bricks, const FieldLayout& layout,
                   const BrickCheck& check, ScalarField& field, StepTimer& steps,
                   const std::stop_token& stop) {
    const Vec3i reach = layout.nodes.reach;
    if (reach == Vec3i{}) {
        fillBricks(bricks, layout, check, field, steps, stop,
                   [](const VoxelBlock& block, Vec3i, float* values) {
                       for (const BlockVoxel& v : block.voxels())
                           values[(v.z * kBrickEdge + v.y) * kBrickEdge + v.x] = 1;
                   });
        return;
    }
    const Vec3i size = reach * 2 + Vec3i{1, 1, 1};
    const std::vector<float> weights = smoothingWeights(layout);
    fillBricks(bricks, layout, check, field, steps, stop, [&](const VoxelBlock& block, Vec3i, float* values) {
        for (const BlockVoxel& v : block.voxels()) {
            const Box box = reached(v, reach);
            for (int z = box.low.z; z <= box.high.z; ++z)
                for (int y = box.low.y; y <= box.high.y; ++y) {
                    const int row = (z - v.z + reach.z) * size.y + y - v.y + reach.y;
                    const float* weight = weights.data() + row * size.x + reach.x - v.x;
                    float* out = values + (z * kBrickEdge + y) * kBrickEdge;
                    for (int x = box.low.x; x <= box.high.x; ++x)
                        out[x] += weight[x];
                }
        }
    });
}

void fillDensity(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                 const BrickCheck& check, ScalarField& field, StepTimer& steps, const std::stop_token& stop) {
    const Vec3f edge = layout.lattice.spacing, radius = layout.nodes.radius, inverse = inverseSquares(radius);
    const float scale = triweightNormalization(radius);
    fillBricks(
        bricks, layout, check, field, steps, stop,
        [&](const VoxelBlock& block, Vec3i firstNode, float* values) {
            const Vec3f first = layout.lattice.position(firstNode);
            for (const BlockVoxel& v : block.voxels()) {
                const Vec3f mean{voxels.mean(0)[v.voxel], voxels.mean(1)[v.voxel], voxels.mean(2)[v.voxel]};
                const Vec3f middle = mean - first;
                const float weight = scale * static_cast<float>(voxels.counts[v.voxel]);
                const Box box = reached(v, layout.nodes.reach);
                for (int z = box.low.z; z <= box.high.z; ++z)
                    for (int y = box.low.y; y <= box.high.y; ++y) {
                        const float dz = static_cast<float>(z) * edge.z - middle.z;
                        const float dy = static_cast<float>(y) * edge.y - middle.y;
                        float* out = values + (z * kBrickEdge + y) * kBrickEdge;
                        for (int x = box.low.x; x <= box.high.x; ++x) {
                            const float dx = static_cast<float>(x) * edge.x - middle.x;
                            out[x] += weight * triweight(epanechnikov(dx, dy, dz, inverse));
                        }
                    }
            }
        });
}

} // namespace scanloupe::cpu
