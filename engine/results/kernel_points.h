#pragma once
// Declares the points in the layout and the memory space that kernels read.
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// The coordinates of points, in one memory space. Their attributes are PointAttributes.
struct KernelPoints {
    Buffer<Vec3f> positions; ///< [N, 3] metres, relative to the cloud's origin

    PointsView view() const { return {positions.data(), positions.size(), {}}; }
};

/// The coordinates of every `stride`-th point of a cloud on the host. Converted as a whole on first use:
/// where a device computes, a few suffice. Thread-safe.
class HostPoints {
public:
    HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride);
    /// With all points converted. @param all [N, 3]
    HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride, KernelPoints all);

    std::size_t size() const { return m_size; } ///< N
    /// Metres, relative to the cloud's origin.
    Vec3f operator[](std::size_t i) const;
    /// @throws KernelError; Cancelled
    const KernelPoints& all(const std::stop_token& stop) const;
    /// Copies them to the device, ordered on `stream`. @throws DeviceMemoryShort, KernelError;
    /// Cancelled
    KernelPoints upload(StreamView stream, const std::stop_token& stop) const;
    /// Every n-th point, so that there are some 20,000: enough to frame all. Frames of a sequence, which keep
    /// the camera, do without.
    const std::vector<Vec3f>& framingSample() const;
    /// Memory of the converted points.
    std::uint64_t bytes() const { return m_bytes; }

private:
    std::shared_ptr<const PointCloud> m_cloud;
    std::size_t m_stride, m_size;
    mutable std::mutex m_mutex; ///< held while points are converted
    mutable std::optional<KernelPoints> m_all;
    mutable std::atomic<std::uint64_t> m_bytes = 0; ///< of m_all
    mutable std::once_flag m_sampled;
    mutable std::vector<Vec3f> m_framingSample;
};

} // namespace scanloupe
