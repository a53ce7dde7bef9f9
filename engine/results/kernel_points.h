#pragma once
// Declares the points in the layout and the memory space that kernels read.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The coordinates of points, in one memory space. Their attributes are PointAttributes.
struct KernelPoints {
    Buffer<Vec3f> positions; ///< [N, 3] metres, relative to the cloud's origin

    PointsView view() const { return {positions.data(), positions.size(), {}}; }
};

/// The coordinates of every `stride`-th point of a cloud on the host. All of them are converted when they are
/// first asked for: where a device computes, some are enough. From any thread.
class HostPoints {
public:
    HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride);

    std::size_t size() const { return m_size; } ///< N
    /// Metres, relative to the cloud's origin.
    Vec3f operator[](std::size_t i) const;
    /// @throws KernelError; Cancelled
    const KernelPoints& all(const std::stop_token& stop) const;
    /// The coordinates in device memory, ordered on `stream`. @throws DeviceMemoryShort, KernelError;
    /// Cancelled
    KernelPoints onDevice(StreamView stream, const std::stop_token& stop) const;
    /// So many of the points that they tell the outline of all: every n-th.
    const std::vector<Vec3f>& outline() const;
    /// Memory of the converted points.
    std::uint64_t bytes() const;

private:
    std::shared_ptr<const PointCloud> m_cloud;
    std::size_t m_stride, m_size;
    mutable std::mutex m_mutex; ///< held while points are converted
    mutable std::optional<KernelPoints> m_all;
    mutable std::vector<Vec3f> m_outline;
};

} // namespace scanloupe
