// Converts the coordinates of a point cloud to the layout of the kernels.
#include "engine/results/kernel_points.h"

#include "kernels/core/parallel.h"
#include "kernels/core/upload.h"

#include <algorithm>

namespace scanloupe {

HostPoints::HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride)
    : m_cloud(std::move(cloud)), m_stride(stride), m_size(chunkCount(m_cloud->size(), stride)) {}

Vec3f HostPoints::operator[](std::size_t i) const {
    Vec3f point;
    m_cloud->fillFloatView(i * m_stride, 1, {&point, 1});
    return point;
}

const KernelPoints& HostPoints::all(const std::stop_token& stop) const {
    const std::lock_guard lock(m_mutex);
    if (!m_all) {
        auto positions = Buffer<Vec3f>::host(m_size);
        parallelFor(m_size, 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
            m_cloud->fillFloatView(begin * m_stride, m_stride, positions.span().subspan(begin, end - begin));
        });
        m_all.emplace(KernelPoints{std::move(positions)});
    }
    return *m_all;
}

KernelPoints HostPoints::onDevice(StreamView stream, const std::stop_token& stop) const {
    return {uploadFilled<Vec3f>(m_size, stream, stop, [&](std::size_t first, std::span<Vec3f> piece) {
        m_cloud->fillFloatView(first * m_stride, m_stride, piece);
    })};
}

const std::vector<Vec3f>& HostPoints::outline() const {
    constexpr std::size_t enough = 20'000;
    const std::lock_guard lock(m_mutex);
    const std::size_t stride = std::max<std::size_t>(1, m_size / enough);
    if (m_outline.empty()) {
        m_outline.resize(chunkCount(m_size, stride));
        m_cloud->fillFloatView(0, m_stride * stride, m_outline);
    }
    return m_outline;
}

std::uint64_t HostPoints::bytes() const {
    const std::lock_guard lock(m_mutex);
    return m_all ? m_all->positions.bytes() : 0;
}

} // namespace scanloupe
