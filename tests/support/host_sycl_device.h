#pragma once
// The SYCL kernels as a device on the host, to test callers of a SyclDevice without a SYCL compiler.
#include "kernels/sycl/sycl_device.h"

namespace scanloupe::test {

/// Runs the kernels' bodies on the host.
class HostSyclDevice : public SyclDevice {
public:
    /// @param isGpu whether kernels get the work-items of a GPU
    explicit HostSyclDevice(bool isGpu = false);
    const SyclDeviceInfo& info() const override { return m_info; }
    VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                       const std::stop_token& stop) const override;
    ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                             const std::function<void(std::uint64_t)>& check,
                             const std::stop_token& stop) const override;
    TriangleMesh extractSurface(const ScalarField& field, float iso,
                                const std::stop_token& stop) const override;
    VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                               const std::stop_token& stop) const override;
    Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const std::stop_token& stop) const override;
    Buffer<Vec3f> shared(std::span<const Vec3f> values) const override;

protected:
    /// Called before each operator; tests override it to simulate failures.
    virtual void wear() const {}

    SyclDeviceInfo m_info;
};

} // namespace scanloupe::test
