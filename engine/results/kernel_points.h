#pragma once
// Declares points in the memory layout and memory space that kernels read.
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

/// The coordinates of points, in one memory space. PointAttributes holds their attributes.
struct KernelPoints {
    Buffer<Vec3f> positions; ///< [N, 3] metres, relative to the cloud's origin

    PointsView view() const { return {positions.data(), positions.size(), {}}; }
};

/// The coordinates of every `stride`-th point of a cloud, in host memory. All are converted together on first
/// use, because a run on a device often needs only a few of them. Thread-safe.
class HostPoints {
public:
    HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride);
    /// Creates the object from converted points. @param all [N, 3]
    HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride, KernelPoints all);

    std::size_t size() const { return m_size; } ///< number of points, N
    /// Returns a position, metres, relative to the cloud's origin.
    Vec3f operator[](std::size_t i) const;
    /// Returns all coordinates, converted on first use. @throws KernelError; Cancelled
    const KernelPoints& all(const std::stop_token& stop) const;
    /// Copies the coordinates to the device, ordered on `stream`. @throws DeviceMemoryShort, KernelError;
    /// Cancelled
    KernelPoints upload(StreamView stream, const std::stop_token& stop) const;
    /// Returns every n-th point, about 20,000 points, which suffice to frame the scan. Computed on first use,
    /// because frames of a sequence keep the camera and do not need it.
    const std::vector<Vec3f>& framingSample() const;
    /// Returns the memory of the converted points, bytes.
    std::uint64_t bytes() const { return m_bytes; }

private:
    std::shared_ptr<const PointCloud> m_cloud;
    std::size_t m_stride, m_size;
    mutable std::mutex m_mutex; ///< locked while points are converted
    mutable std::optional<KernelPoints> m_all;
    mutable std::atomic<std::uint64_t> m_bytes = 0; ///< bytes of m_all
    mutable std::once_flag m_sampled;
    mutable std::vector<Vec3f> m_framingSample;
};

} // namespace scanloupe
