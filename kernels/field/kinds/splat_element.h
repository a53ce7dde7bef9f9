#pragma once
// Sums what the voxels around a node add to it, for all devices that gather. `forEachRun(body)` calls
// `body(run, y, z)` for the rows of voxels in the window around the node, ascending; y and z count from the
// window's first.
#include "kernels/core/hd.h"
#include "kernels/field/core/brick_rows.h"
#include "kernels/field/core/field_element.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// @param weights as smoothingWeights @param size voxels of the window along each axis
template <class ForEachRun>
HD float smoothedOccupancy(const float* weights, Vec3i size, ForEachRun&& forEachRun) {
    float sum = 0;
    // mirrored: weights are indexed by the offset from a voxel to a node
    forEachRun([&](VoxelRun run, int y, int z) {
        const float* const row = weights + ((size.z - 1 - z) * size.y + size.y - 1 - y) * size.x + size.x - 1;
        // std::countr_zero() gives wrong results in device code
        for (; run.bits != 0; run.bits &= run.bits - 1)
            sum += *(row - std::popcount((run.bits - 1) & ~run.bits));
    });
    return sum;
}

/// The mean position of a voxel's points, and their weight.
struct WeightedPoint {
    Vec3f mean;
    float weight;
};

/// @param at, first the node from its brick's first node, and the position of that, metres
/// @param inverse 1 / radius^2 @param pointOf(voxel) a WeightedPoint
template <class PointOf, class ForEachRun>
HD float pointDensity(Vec3f at, Vec3f first, Vec3f inverse, PointOf&& pointOf, ForEachRun&& forEachRun) {
    float sum = 0;
    forEachRun([&](VoxelRun run, int, int) {
        for (int n = run.count(); n > 0; --n) {
            const WeightedPoint point = pointOf(run.first++);
            const Vec3f d = at - (point.mean - first);
            sum += point.weight * triweight(epanechnikov(d.x, d.y, d.z, inverse));
        }
    });
    return sum;
}

} // namespace scanloupe
