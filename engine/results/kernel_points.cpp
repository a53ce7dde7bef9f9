// Converts the coordinates of a point cloud to the memory layout of the kernels.
#include "engine/results/kernel_points.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"
#include "kernels/core/transfer.h"

#include <algorithm>

namespace scanloupe {

HostPoints::HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride)
    : m_cloud(std::move(cloud)), m_stride(stride), m_size(chunkCount(m_cloud->size(), stride)) {}

HostPoints::HostPoints(std::shared_ptr<const PointCloud> cloud, std::size_t stride, KernelPoints all)
    : HostPoints(std::move(cloud), stride) {
    m_bytes = all.positions.bytes();
    m_all.emplace(std::move(all));
}

const std::vector<Vec3f>& HostPoints::framingSample() const {
    std::call_once(m_sampled, [this] {
        constexpr std::size_t enough = 20'000;
        const std::size_t apart = std::max<std::size_t>(1, m_size / enough);
        m_framingSample.resize(chunkCount(m_size, apart));
        m_cloud->fillFloatView(0, m_stride * apart, m_framingSample);
    });
    return m_framingSample;
}

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
        m_bytes = positions.bytes();
        m_all.emplace(KernelPoints{std::move(positions)});
    }
    return *m_all;
}

KernelPoints HostPoints::upload(StreamView stream, const std::stop_token& stop) const {
    return {uploadFilled<Vec3f>(m_size, stream, stop, [&](std::size_t first, std::span<Vec3f> piece) {
        m_cloud->fillFloatView(first * m_stride, m_stride, piece);
    })};
}

} // namespace scanloupe
