#pragma once
// Queues one dab of a brush on the device, with one block per brick that the dab writes.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/sculpt/sculpt_element.h"

namespace scanloupe::cuda {

/// The W bricks that one dab writes, and the arrays of the field.
struct DabView {
    SculptDab dab;
    LatticeShape lattice;
    Vec3i brickDims;
    const std::uint64_t* keys;       ///< [W] keys of the written bricks
    const std::uint32_t* neighbours; ///< [W, 27] neighbours of the written bricks
    const std::uint32_t* sources;    ///< [W, 8] indices of the bricks that `clone` copies from; null if no
                                     ///< copying
    float* values;                   ///< [B, 512] values of the field
    std::uint32_t* mask;             ///< [B, 16] cell mask of the field, in 32-bit halves
    float* changed;                  ///< [W, 512] output: new values
    std::uint32_t* marks;            ///< [W, 16] output: newly marked cells

    __device__ const std::uint32_t* around() const { return neighbours + blockIdx.x * kNeighbours; }
    __device__ std::size_t place() const { return around()[neighbourSlot(0, 0, 0)]; }
    __device__ float sourceValue(Vec3i local) const {
        const CloneSource from(dab, local);
        const std::uint32_t brick = sources[blockIdx.x * kSourceBricks + from.slot];
        return brick == kNoBrick ? std::numeric_limits<float>::quiet_NaN()
                                 : values[std::size_t{brick} * kBrickNodes + from.node()];
    }
    __device__ bool isSourceSurface(Vec3i cell) const {
        if (!traitsOf(dab.tool).takesFromElsewhere)
            return false;
        const CloneSource from(dab, cell);
        const std::uint32_t brick = sources[blockIdx.x * kSourceBricks + from.slot];
        if (brick == kNoBrick)
            return false;
        const auto bit = static_cast<unsigned>(from.local.x + kBrickEdge * from.local.y);
        return (mask[(std::size_t{brick} * kBrickEdge + from.local.z) * 2 + bit / 32] >> bit % 32 & 1u) != 0;
    }
    __device__ float valueAt(Vec3i local) const {
        const std::uint32_t brick = around()[neighbourSlot(local.x >> 3, local.y >> 3, local.z >> 3)];
        if (brick == kNoBrick)
            return std::numeric_limits<float>::quiet_NaN();
        return values[std::size_t{brick} * kBrickNodes +
                      static_cast<std::size_t>(((local.z & 7) * kBrickEdge + (local.y & 7)) * kBrickEdge +
                                               (local.x & 7))];
    }
};

/// Computes one dab. Writes new values and marks to separate arrays, since other blocks still read the field.
static __global__ void __launch_bounds__(kGatherThreads) applyDab(DabView view, FieldCounters* counters) {
    // number of nodes along an axis: the corners of the brick's cells
    constexpr int side = kBrickEdge + 1, nodes = side * side * side;
    __shared__ float depths[nodes], before[nodes], after[nodes];
    const Vec3i first = brickOf(view.keys[blockIdx.x], view.brickDims) * kBrickEdge;
    const Vec3f edges = view.lattice.spacing;
    const Vec3i dims = view.lattice.dims;
    for (int i = static_cast<int>(threadIdx.x); i < nodes; i += static_cast<int>(kGatherThreads)) {
        const Vec3i local{i % side, i / side % side, i / (side * side)}, node = first + local;
        const Vec3f position = view.lattice.position(node);
        const float depth = depthInBall(view.dab, position);
        const auto at = [&](int dx, int dy, int dz) { return view.valueAt(local + Vec3i{dx, dy, dz}); };
        const auto source = [&] { return view.sourceValue(local); };
        const float value = at(0, 0, 0);
        const bool isInLattice = node.x < dims.x && node.y < dims.y && node.z < dims.z;
        depths[i] = depth;
        before[i] = value;
        after[i] = isInLattice && isReached(view.dab, depth, edges)
                       ? sculptedValue(view.dab, position, depth, edges, at, source)
                       : value;
    }
    __syncthreads();
    const auto indexOf = [](Vec3i local) { return (local.z * side + local.y) * side + local.x; };
    MinMax range;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const Vec3i local = nodeAt(i);
        const float value = after[indexOf(local)];
        range.add(value);
        view.changed[blockIdx.x * kBrickNodes + i] = value;
        CellChange change; // cell i has the index of its lowest corner node
        for (int corner = 0; corner < 8; ++corner) {
            const int node = indexOf(local + Vec3i{corner & 1, corner >> 1 & 1, corner >> 2});
            change.add(view.dab, before[node], after[node], depths[node], edges);
        }
        unsigned marks = __ballot_sync(kFullWarp, change.marks(view.dab, view.isSourceSurface(local)));
        if (threadIdx.x % 32 == 0) {
            const std::uint64_t inLattice =
                bits::before(dims - Vec3i{1, 1, 1} - first, static_cast<int>(i / 64));
            marks &= static_cast<unsigned>(inLattice >> (i % 64));
            view.marks[blockIdx.x * 2 * kBrickEdge + i / 32] = marks;
        }
    }
    range.reduceInto(counters);
}

static __global__ void __launch_bounds__(kGatherThreads) storeDab(DabView view) {
    const std::size_t place = view.place();
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads)
        view.values[place * kBrickNodes + i] = view.changed[blockIdx.x * kBrickNodes + i];
    if (threadIdx.x < 2 * kBrickEdge)
        view.mask[place * 2 * kBrickEdge + threadIdx.x] |=
            view.marks[blockIdx.x * 2 * kBrickEdge + threadIdx.x];
}

/// Queues a dab that writes `count` bricks. Asynchronous. @throws KernelError
inline void queueDab(const DabView& view, std::size_t count, FieldCounters* counters, StreamView stream) {
    launchBricks("applyDab", count, stream, applyDab, view, counters);
    launchBricks("storeDab", count, stream, storeDab, view);
}

} // namespace scanloupe::cuda
