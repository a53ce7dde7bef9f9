#pragma once
// Queues one dab of a brush on the device: a block a brick that it writes.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/sculpt/sculpt_element.h"

namespace scanloupe::cuda {

/// The bricks that one dab writes.
struct DabView {
    SculptDab dab;
    LatticeShape lattice;
    Vec3i brickDims;
    const std::uint64_t* keys;       ///< [W]
    const std::uint32_t* neighbours; ///< [W, 27]
    float* values;                   ///< of the field
    std::uint32_t* mask;             ///< of the field, [B, 16]
    float* changed;                  ///< [W, 512]

    __device__ const std::uint32_t* around() const { return neighbours + blockIdx.x * kNeighbours; }
    __device__ std::size_t place() const { return around()[neighbourSlot(0, 0, 0)]; }
    __device__ float valueAt(Vec3i local) const {
        const std::uint32_t brick = around()[neighbourSlot(local.x >> 3, local.y >> 3, local.z >> 3)];
        if (brick == kNoBrick)
            return std::numeric_limits<float>::quiet_NaN();
        return values[std::size_t{brick} * kBrickNodes +
                      static_cast<std::size_t>(((local.z & 7) * kBrickEdge + (local.y & 7)) * kBrickEdge +
                                               (local.x & 7))];
    }
};

/// Writes the new values at once where they depend on no other ones, else beside the old ones.
template <bool InPlace>
__global__ void __launch_bounds__(kGatherThreads) applyDab(DabView view, FieldCounters* counters) {
    constexpr int side = kBrickEdge + 1;
    __shared__ float depths[side * side * side];
    const Vec3i first = brickOf(view.keys[blockIdx.x], view.brickDims) * kBrickEdge;
    for (int i = static_cast<int>(threadIdx.x); i < side * side * side; i += kGatherThreads)
        depths[i] = depthInBall(
            view.dab, view.lattice.position(first + Vec3i{i % side, i / side % side, i / (side * side)}));
    __syncthreads();
    const Vec3f edges = view.lattice.spacing;
    const std::size_t place = view.place();
    const auto depthAt = [&](Vec3i local) { return depths[(local.z * side + local.y) * side + local.x]; };
    MinMax range;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const Vec3i local = nodeAt(i), node = first + local;
        const float depth = depthAt(local);
        const bool isInLattice =
            node.x < view.lattice.dims.x && node.y < view.lattice.dims.y && node.z < view.lattice.dims.z;
        float value = view.values[place * kBrickNodes + i];
        if (isInLattice && isReached(view.dab, depth, edges)) {
            const auto at = [&](int dx, int dy, int dz) { return view.valueAt(local + Vec3i{dx, dy, dz}); };
            value = sculptedValue(view.dab, view.lattice.position(node), depth, edges, at);
        }
        range.add(value);
        if constexpr (InPlace)
            view.values[place * kBrickNodes + i] = value;
        else
            view.changed[blockIdx.x * kBrickNodes + i] = value;
        bool isMarked = false; // node i is the lowest corner of cell i
        for (int corner = 0; corner < 8; ++corner)
            isMarked =
                isMarked ||
                marksCell(view.dab, depthAt(local + Vec3i{corner & 1, corner >> 1 & 1, corner >> 2}), edges);
        unsigned marks = __ballot_sync(kFullWarp, isMarked);
        if (threadIdx.x % 32 == 0) {
            const std::uint64_t inLattice =
                bits::before(view.lattice.dims - Vec3i{1, 1, 1} - first, static_cast<int>(i / 64));
            marks &= static_cast<unsigned>(inLattice >> (i % 64));
            view.mask[place * 2 * kBrickEdge + i / 32] |= marks;
        }
    }
    range.reduceInto(counters);
}

static __global__ void __launch_bounds__(kGatherThreads) storeDab(DabView view) {
    const std::size_t place = view.place();
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads)
        view.values[place * kBrickNodes + i] = view.changed[blockIdx.x * kBrickNodes + i];
}

/// Queues a dab on `count` bricks. Asynchronous. @throws KernelError
inline void queueDab(const DabView& view, std::size_t count, FieldCounters* counters, StreamView stream) {
    if (changesByBall(view.dab.tool))
        return launchBricks("applyDab", count, stream, applyDab<true>, view, counters);
    launchBricks("applyDab", count, stream, applyDab<false>, view, counters);
    launchBricks("storeDab", count, stream, storeDab, view);
}

} // namespace scanloupe::cuda
