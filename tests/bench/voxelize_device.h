#pragma once
// Declares the device code of the benchmark that is not timed: clouds and their orders, checks, and the copy
// bandwidth. Defined in voxelize_device.cu, or in voxelize_unavailable.cpp for builds without nvcc.
#include "kernels/core/buffer.h"
#include "tests/bench/voxelize_method.h"

#include <span>

namespace scanloupe::bench {

/// A cloud in device memory. It has several copies: a method that reads them in turn misses the L2 cache.
class DeviceCloud {
public:
    /// @note Synchronizes.
    DeviceCloud(std::span<const Vec3f> positions, std::span<const float> intensities, StreamView stream);
    /// The points of `other`, sorted by the Morton codes of their cells. `sortMs` receives the time of the
    /// sort on the device.
    /// @note Synchronizes.
    DeviceCloud(const DeviceCloud& other, const VoxelCells& cells, double& sortMs, StreamView stream);

    std::size_t copies() const { return m_copies; }
    /// The copy with index `i` modulo the number of copies.
    DevicePoints copy(std::size_t i) const;

private:
    DeviceCloud(std::size_t points, StreamView stream);
    void pack(StreamView stream);

    std::size_t m_points = 0, m_copies = 0;
    Buffer<Vec3f> m_positions;   // [copies, N, 3]
    Buffer<float> m_intensities; // [copies, N]
    Buffer<Point4> m_packed;     // [copies, N]
};

/// Bandwidth of a copy of 1 GiB within the device, GB/s, counting reads and writes. @note Synchronizes.
double copyBandwidth(StreamView stream);

/// Sums up the voxels of a grid on the device. @note Synchronizes.
Histogram tallyGrid(const VoxelGrid& grid, StreamView stream);

} // namespace scanloupe::bench
