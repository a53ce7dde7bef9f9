#pragma once
// Declares what all field kernels share: memory on one stream, counters, and the voxels grouped by bricks.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

/// Cells that one launch visits at most: that takes some 10 to 20 ms on a large GPU, and can't be stopped.
inline constexpr std::size_t kMaxCellsPerLaunch = 10'000'000'000;

/// Input, lattice and stream of the computation of a field.
struct FieldJob {
    const VoxelGrid& voxels;
    FieldLayout layout;
    Vec3i brickDims;
    const std::stop_token& stop;
    StreamView stream;

    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    }
    template <class T>
    Buffer<T> zeros(std::size_t size) const {
        auto zeroed = buffer<T>(size);
        if (size > 0)
            check(cudaMemsetAsync(zeroed.data(), 0, zeroed.bytes(), ownStream(stream)), "cudaMemsetAsync");
        return zeroed;
    }
    void throwIfStopped() const {
        if (stop.stop_requested())
            throw Cancelled();
    }
    /// Calls `body(first, count)` for all items, each of which visits `cells` cells: in one batch, or in
    /// several, between which it synchronizes and checks `stop`. @throws Cancelled
    template <class Body>
    void inBatches(std::size_t items, std::size_t cells, Body&& body) const {
        const std::size_t maxItems = std::max<std::size_t>(kMaxCellsPerLaunch / cells, 1);
        for (std::size_t first = 0; first < items; first += maxItems) {
            if (first > 0)
                stream.synchronize();
            throwIfStopped();
            body(first, std::min(maxItems, items - first));
        }
    }
    /// The first element. @note Synchronizes. @throws Cancelled
    template <class T>
    T read(const Buffer<T>& from) const {
        T host{};
        detail::copyBytes(&host, MemorySpace::host, from.data(), MemorySpace::device, sizeof host, stream);
        stream.synchronize();
        throwIfStopped();
        return host;
    }
};

/// Counted on the device, zero at the start.
struct FieldCounters {
    Counts kept; ///< `voxels`: the bricks that are kept, for the signed distance
    /// Of finite values: the complement of the smallest one's orderedBits, and the largest one's; 0: none.
    std::uint32_t invertedMin, max;
    std::uint32_t unfinished; ///< not 0: cells are left to be processed
    std::uint32_t guessed;    ///< voxels whose normals have no known orientation
    std::uint32_t pending[3]; ///< voxels without a plane within 1, 2 and 4 times the support
};

/// Some voxels of a row of a brick; their indices in the grid are consecutive.
struct VoxelRun {
    std::uint32_t first;
    std::uint32_t bits; ///< their positions from the begin of the queried window

    __device__ int count() const { return __popc(bits); }
};

/// The occupied voxels of one row of a brick, and of that row in the bricks before and after it in x.
struct BrickRow {
    std::uint32_t mask; ///< bit x + 8: the voxel at x from the brick's first is occupied, -8 <= x < 16
    std::uint32_t
        invertedFirst; ///< complement of the first of these voxels; the others follow it in the grid

    /// Index of the voxel at x, or of the next one.
    __device__ std::uint32_t voxelAt(int x) const {
        return ~invertedFirst + static_cast<std::uint32_t>(__popc(mask & ((1u << (x + kBrickEdge)) - 1)));
    }
    /// The voxels from x on that `window` has bits for.
    __device__ VoxelRun within(int x, std::uint32_t window) const {
        return {voxelAt(x), mask >> (x + kBrickEdge) & window};
    }
};
inline constexpr int kRows = kBrickEdge * kBrickEdge; ///< of a brick: y + 8 z

/// The bricks within reach of voxels, and the voxels in them.
struct BricksView {
    std::size_t count; ///< B
    Vec3i dims;
    const std::uint64_t* keys;     ///< [B] ascending
    const std::uint32_t* around;   ///< [B, 27]
    const BrickRow* rows;          ///< [B, 64]
    const std::uint64_t* occupied; ///< [B, 8] bit (x + 8 y) of word z

    /// The row of voxels at (y, z) from a brick's first, each from -8 to 15.
    __device__ BrickRow row(std::size_t brick, int y, int z) const {
        const unsigned up = static_cast<unsigned>(y + kBrickEdge),
                       high = static_cast<unsigned>(z + kBrickEdge);
        const std::uint32_t other = around[brick * kNeighbours + high / 8 * 9 + up / 8 * 3 + 1];
        return other == kNoBrick ? BrickRow{0, 0} : rows[std::size_t{other} * kRows + high % 8 * 8 + up % 8];
    }
    __device__ Vec3i firstNode(std::size_t brick) const { return brickOf(keys[brick], dims) * kBrickEdge; }
};

/// The brick of a voxel, and its position within it.
struct VoxelPosition {
    std::uint32_t brick;
    std::uint32_t local; ///< x + 8 y + 64 z from the brick's first node

    __device__ Vec3i at() const {
        return {static_cast<int>(local & 7u), static_cast<int>(local >> 3 & 7u),
                static_cast<int>(local >> 6)};
    }
};

/// Owns the memory of a BricksView, and the positions of all voxels.
struct FieldBricks {
    Vec3i dims;
    Buffer<std::uint64_t> keys;
    Buffer<std::uint32_t> around;
    Buffer<std::uint64_t> words;     ///< rows, occupied
    Buffer<VoxelPosition> positions; ///< [V]

    BricksView view() const {
        const std::size_t count = keys.size();
        return {count,
                dims,
                keys.data(),
                around.data(),
                reinterpret_cast<const BrickRow*>(words.data()),
                words.data() + count * kRows};
    }
};

/// The bricks, ascending, that have a node within reach of a voxel, as cpu::bricksInReach.
/// @note Synchronizes to learn how many there are.
Buffer<std::uint64_t> listBricks(const FieldJob& job, Vec3i below, Vec3i above);

/// [V] each voxel's mean and its `confidence`. Asynchronous.
Buffer<float4> confidenceMeans(const FieldJob& job);
/// [V] each voxel's mean and its weight: `perPoint` for each of its points. Asynchronous.
Buffer<float4> weightedMeans(const FieldJob& job, float perPoint);

/// Groups the voxels by bricks. `keys` has all bricks that hold voxels. Asynchronous.
FieldBricks groupVoxels(const FieldJob& job, Buffer<std::uint64_t> keys);

} // namespace scanloupe::cuda
