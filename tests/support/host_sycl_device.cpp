// Instantiates all SYCL kernels for the tests, in a single file, since they take a while to compile.
#include "tests/support/host_sycl_device.h"

#include "kernels/sycl/chain/compute_field.h"
#include "kernels/sycl/chain/extract_surface.h"
#include "kernels/sycl/chain/resolve.h"
#include "kernels/sycl/chain/voxelize.h"
#include "tests/support/checking_queue.h"

namespace scanloupe::test {

HostSyclDevice::HostSyclDevice(bool isGpu) {
    m_info.isGpu = isGpu;
    m_info.name = "the kernels' bodies on the host";
    m_info.bytes = std::uint64_t{1} << 30;
}

VoxelGrid HostSyclDevice::voxelize(const PointsView& points, const VoxelizeParams& params,
                                   const std::stop_token& stop) const {
    wear();
    CheckingQueue queue(stop, m_info.isGpu);
    return sycl_chain::voxelize(queue, points, params);
}

ScalarField HostSyclDevice::computeField(const VoxelGrid& voxels, const FieldParams& params,
                                         const std::function<void(std::uint64_t)>& check,
                                         const std::stop_token& stop) const {
    wear();
    CheckingQueue queue(stop, m_info.isGpu);
    return sycl_chain::computeField(queue, voxels, params, check);
}

TriangleMesh HostSyclDevice::extractSurface(const ScalarField& field, float iso,
                                            const std::stop_token& stop) const {
    wear();
    CheckingQueue queue(stop, m_info.isGpu);
    return sycl_chain::extractSurface(queue, field, iso);
}

VisibilityBuffer HostSyclDevice::rasterize(const RasterScene& scene, const Projection& projection,
                                           RasterStats& stats, const std::stop_token& stop) const {
    wear();
    CheckingQueue queue(stop, m_info.isGpu);
    return sycl_chain::rasterize(queue, scene, projection, stats);
}

Image HostSyclDevice::resolve(const VisibilityBuffer& visibility, const RasterScene& scene,
                              const Projection& projection, const Shading& shading,
                              const std::stop_token& stop) const {
    wear();
    CheckingQueue queue(stop, m_info.isGpu);
    return sycl_chain::resolve(queue, visibility, scene, projection, shading);
}

Buffer<Vec3f> HostSyclDevice::shared(std::span<const Vec3f> values) const {
    return hostCopy(values);
}

} // namespace scanloupe::test
