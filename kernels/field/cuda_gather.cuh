#pragma once
// Gathering into the nodes of a brick: a block of threads takes a brick, and its nodes take from the rows of
// voxels around it, in the order z, y, x.
#include "kernels/field/brick_bits.h"
#include "kernels/field/cuda_field.cuh"
#include "kernels/field/field_cell.h"

#include <bit>

namespace scanloupe::cuda {

/// Few, since most bricks have few nodes that matter; thread i has the nodes i, i + 64, ...
inline constexpr unsigned kGatherThreads = 64;
static_assert(kBrickNodes % kGatherThreads == 0 && kGatherThreads == kRows);

/// Queues `kernel(arguments...)` with a block of kGatherThreads for each of `bricks`. @throws KernelError
template <class... Parameters, class... Arguments>
void launchBricks(const char* name, std::size_t bricks, StreamView stream, void (*kernel)(Parameters...),
                  const Arguments&... arguments) {
    if (bricks == 0)
        return;
    if (bricks > 0x7fffffff)
        fail(cudaErrorInvalidConfiguration, name);
    kernel<<<static_cast<unsigned>(bricks), kGatherThreads, 0, ownStream(stream)>>>(arguments...);
    check(cudaGetLastError(), name);
}

/// The rows of a brick and of a halo around it, in shared memory.
struct BlockRows {
    static constexpr int kMost = 3 * kBrickEdge - 2; ///< along y and z: with a halo of 7
    BrickRow rows[kMost * kMost];

    /// All threads of the block have to call it.
    __device__ void load(const BricksView& bricks, std::size_t brick, Vec3i halo) {
        const std::uint32_t* around = bricks.around + brick * kNeighbours;
        const int sizeY = kBrickEdge + 2 * halo.y, count = sizeY * (kBrickEdge + 2 * halo.z);
        for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
            const int y = i % sizeY - halo.y + kBrickEdge, z = i / sizeY - halo.z + kBrickEdge; // from 0 on
            const std::uint32_t other = around[neighbourSlot(0, y / kBrickEdge - 1, z / kBrickEdge - 1)];
            const int row = y % kBrickEdge + z % kBrickEdge * kBrickEdge;
            rows[i] = other == kNoBrick
                          ? BrickRow{0, 0}
                          : bricks.rows[std::size_t{other} * kRows + static_cast<std::size_t>(row)];
        }
        __syncthreads();
    }
};

/// A box of voxels around a node.
struct Window {
    Vec3i reach, size; ///< from the node - reach on, so many voxels
    /// @param middle 1 where nodes lie in the middle of voxels, 0 where they lie at their corners
    Window(Vec3i r, int middle) : reach(r), size(r * 2 + Vec3i{middle, middle, middle}) {}

    /// Calls `body(run, y, z)` for the rows of voxels in the window around a node of the brick, ascending; y
    /// and z count from the window's first.
    template <class Body>
    __device__ void forRuns(const BlockRows& block, Vec3i node, Body&& body) const {
        const std::uint32_t bits = (1u << size.x) - 1;
        const int step = kBrickEdge + 2 * reach.y;
        for (int z = 0; z < size.z; ++z) {
            const BrickRow* row = block.rows + (node.z + z) * step + node.y;
            for (int y = 0; y < size.y; ++y) {
                const VoxelRun run = row[y].within(node.x - reach.x, bits);
                if (run.bits != 0)
                    body(run, y, z);
            }
        }
    }
};

/// Node i of a brick.
__device__ inline Vec3i nodeAt(unsigned i) {
    return {static_cast<int>(i & 7u), static_cast<int>(i >> 3 & 7u), static_cast<int>(i >> 6)};
}

/// Bits that ascend with finite values: 0 for none.
HD inline std::uint32_t orderedBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
HD inline float fromOrderedBits(std::uint32_t bits) {
    return std::bit_cast<float>(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

/// The smallest and largest finite value that a thread has seen.
struct Extent {
    std::uint32_t notLeast = 0, most = 0; ///< as in FieldTally

    __device__ void add(float value) {
        if (!(std::fabs(value) <= std::numeric_limits<float>::max()))
            return;
        const std::uint32_t bits = orderedBits(value);
        notLeast = std::max(notLeast, ~bits);
        most = std::max(most, bits);
    }
    /// Joins those of the warp's threads, which all have to call it, into the tally.
    __device__ void tell(FieldTally* tally) {
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            notLeast = std::max(notLeast, __shfl_xor_sync(kFullWarp, notLeast, lanes));
            most = std::max(most, __shfl_xor_sync(kFullWarp, most, lanes));
        }
        if (threadIdx.x % 32 != 0)
            return;
        // most warps find nothing new, and a read is cheaper than an atomic
        if (notLeast > __ldcg(&tally->notLeast))
            atomicMax(&tally->notLeast, notLeast);
        if (most > __ldcg(&tally->most))
            atomicMax(&tally->most, most);
    }
};

} // namespace scanloupe::cuda
