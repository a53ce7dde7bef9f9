#pragma once
// Gathers values at the nodes of a brick, with one thread block per brick. Each node sums over the rows of
// voxels around it, in the order z, y, x.
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/cuda_field.cuh"
#include "kernels/field/core/field_element.h"

#include <bit>

namespace scanloupe::cuda {

/// Number of threads per block. Thread i processes the nodes i, i + 128, ... Few threads per block are best:
/// most bricks have few nodes to compute, and bricks with many nodes finish last.
inline constexpr unsigned kGatherThreads = 128;
static_assert(kBrickNodes % kGatherThreads == 0);

/// Queues `kernel(arguments...)` with one block of kGatherThreads threads per brick. @throws KernelError
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

/// The voxel rows of a brick and of a halo around it, in shared memory.
struct BlockRows {
    static constexpr int kMaxSide = 3 * kBrickEdge - 2; ///< number of rows along y and along z, with a halo
                                                        ///< of 7 on each side
    BrickRow rows[kMaxSide * kMaxSide];

    /// Loads the rows. Must be called by all threads of the block.
    __device__ void load(const BricksView& bricks, std::size_t brick, Vec3i halo) {
        const int sizeY = kBrickEdge + 2 * halo.y, count = sizeY * (kBrickEdge + 2 * halo.z);
        for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
            rows[i] = bricks.row(brick, i % sizeY - halo.y, i / sizeY - halo.z);
        __syncthreads();
    }
};

/// The box of voxels around a node that the node gathers from.
struct Window {
    Vec3i reach, size; ///< `reach`: number of voxels below the node along each axis; `size`: number of voxels
                       ///< along each axis
    int shiftX, shiftY; ///< layout of voxels in a 64-bit word: a row has 2^shiftX bits, a layer 2^shiftY rows
    Vec3i step;         ///< number of rows (y) and layers (z) whose voxels fit into 64 bits
    /// @param r number of voxels below the node along each axis @param middle 1 if nodes are at voxel
    /// centres, 0 if they are at voxel corners
    Window(Vec3i r, int middle) : reach(r), size(r * 2 + Vec3i{middle, middle, middle}) {
        const auto places = [](int count) {
            return static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1)));
        };
        shiftX = places(size.x);
        shiftY = std::min(places(size.y), 6 - shiftX);
        step = {0, 1 << shiftY, 64 >> (shiftX + shiftY)};
    }

    /// Returns the number of voxel positions that the nodes of a brick visit in total.
    std::size_t cellsOfBrick() const {
        return static_cast<std::size_t>(kBrickNodes) * static_cast<std::size_t>(size.x * size.y * size.z);
    }

    /// Calls `body(run, y, z)` for each row of voxels in the window around a node of the brick, in ascending
    /// order; y and z count from the window's first row.
    template <class Body>
    __device__ void forEachRun(const BlockRows& block, Vec3i node, Body&& body) const {
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

    /// Calls `body(load(voxel))` for each voxel in the window around a node of the brick, in ascending order,
    /// and loads the next voxel meanwhile. Each thread first collects the bits of its voxels, then iterates
    /// over the set bits, whatever their rows: this causes less divergence than a loop over rows.
    template <class Load, class Body>
    __device__ void forEachVoxel(const BlockRows& block, Vec3i node, Load&& load, Body&& body) const {
        const std::uint32_t inRow = (1u << size.x) - 1;
        const int rowsInLayer = kBrickEdge + 2 * reach.y, x = node.x - reach.x;
        for (int z = 0; z < size.z; z += step.z) {
            for (int y = 0; y < size.y; y += step.y) {
                const BrickRow* rows = block.rows + (node.z + z) * rowsInLayer + node.y + y;
                std::uint64_t voxels = 0; // bits of the voxels in the next `step` rows and layers, in the
                                          // layout of shiftX and shiftY
                for (int dz = 0; dz < std::min(step.z, size.z - z); ++dz)
                    for (int dy = 0; dy < std::min(step.y, size.y - y); ++dy)
                        voxels |= std::uint64_t{rows[dz * rowsInLayer + dy].within(x, inRow).bits}
                                  << (((dz << shiftY) + dy) << shiftX);
                const auto next = [&] {
                    const int bit = __ffsll(static_cast<long long>(voxels)) - 1, row = bit >> shiftX;
                    voxels &= voxels - 1;
                    return load(rows[(row >> shiftY) * rowsInLayer + (row & (step.y - 1))].voxelAt(
                        x + (bit & ((1 << shiftX) - 1))));
                };
                if (voxels == 0)
                    continue;
                auto loaded = next();
                while (voxels != 0) {
                    const auto following = next();
                    body(loaded);
                    loaded = following;
                }
                body(loaded);
            }
        }
    }
};

/// Minimum and maximum of the finite values that a thread has visited.
struct MinMax {
    std::uint32_t invertedMin = 0, max = 0; ///< as in FieldCounters

    __device__ void add(float value) {
        if (!(std::fabs(value) <= std::numeric_limits<float>::max()))
            return;
        const std::uint32_t bits = orderedBits(value);
        invertedMin = std::max(invertedMin, ~bits);
        max = std::max(max, bits);
    }
    /// Merges the ranges of all threads of a warp into the counters. Must be called by all threads of the
    /// warp.
    __device__ void reduceInto(FieldCounters* counters) {
        for (int lanes = 16; lanes > 0; lanes /= 2) {
            invertedMin = std::max(invertedMin, __shfl_xor_sync(kFullWarp, invertedMin, lanes));
            max = std::max(max, __shfl_xor_sync(kFullWarp, max, lanes));
        }
        if (threadIdx.x % 32 != 0)
            return;
        // read first: most warps have no new extreme, and a read is cheaper than an atomic operation
        if (invertedMin > __ldcg(&counters->invertedMin))
            atomicMax(&counters->invertedMin, invertedMin);
        if (max > __ldcg(&counters->max))
            atomicMax(&counters->max, max);
    }
};

} // namespace scanloupe::cuda
