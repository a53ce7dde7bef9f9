#pragma once
// Declares the common parts of all field kernels: device memory on one stream, counters, and voxels grouped
// by bricks.
#include "kernels/field/core/brick_rows.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

/// Maximum number of cells that one launch visits. Such a launch takes 10 to 20 ms on a large GPU and cannot
/// be cancelled.
inline constexpr std::size_t kMaxCellsPerLaunch = 10'000'000'000;

/// Input, lattice and stream of a field computation.
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
    /// Calls `body(first, count)` for all items, each of which visits `cells` cells. Splits large work into
    /// batches; between batches it synchronizes and checks `stop`. @throws Cancelled
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
    /// Returns the first element of a device buffer. @note Synchronizes. @throws Cancelled
    template <class T>
    T read(const Buffer<T>& from) const {
        T host{};
        detail::copyBytes(&host, MemorySpace::host, from.data(), MemorySpace::device, sizeof host, stream);
        stream.synchronize();
        throwIfStopped();
        return host;
    }
};

/// Counters that kernels update on the device; initially zero.
struct FieldCounters {
    Counts kept; ///< number of kept bricks (in member `voxels`), for the signed distance
    /// ordered bits of the finite values: complement of the minimum, and the maximum; 0 if there is no finite
    /// value
    std::uint32_t invertedMin, max;
    std::uint32_t unfinished; ///< not 0 if some cells have not been processed
    std::uint32_t guessed;    ///< number of voxels whose normals have no known orientation
    std::uint32_t pending[3]; ///< number of voxels without a plane within 1, 2 and 4 times the support
};

/// Owns the memory of a BricksView and the positions of all voxels.
struct FieldBricks {
    Vec3i dims;
    Buffer<std::uint64_t> keys;
    Buffer<std::uint32_t> around;
    Buffer<std::uint64_t> words;     ///< memory of BricksView::rows and BricksView::occupied
    Buffer<VoxelPosition> positions; ///< [V] position of each voxel

    BricksView view() const {
        const std::size_t count = keys.size();
        return {count,
                dims,
                keys.data(),
                around.data(),
                reinterpret_cast<const BrickRow*>(words.data()),
                words.data() + count * kBrickRows};
    }
};

/// Returns the ascending keys of the bricks that have a node within reach of a voxel, like
/// cpu::bricksInReach. @note Synchronizes to read their number.
Buffer<std::uint64_t> listBricks(const FieldJob& job, Vec3i below, Vec3i above);

/// Returns each voxel's mean (xyz, metres) and its confidence (w): [V]. Asynchronous.
Buffer<float4> confidenceMeans(const FieldJob& job);
/// Returns each voxel's mean (xyz, metres) and weight (w), `perPoint` times its number of points: [V].
/// Asynchronous.
Buffer<float4> weightedMeans(const FieldJob& job, float perPoint);

/// Groups the voxels by bricks. `keys` must contain all bricks that contain voxels. Asynchronous.
FieldBricks groupVoxels(const FieldJob& job, Buffer<std::uint64_t> keys);

} // namespace scanloupe::cuda
