#pragma once
// The kernels for SYCL as a device of their own, on the host: so that whatever takes a device can be tested
// where no compiler for SYCL is.
#include "kernels/sycl/chain/compute_field.h"
#include "kernels/sycl/chain/extract_surface.h"
#include "kernels/sycl/chain/resolve.h"
#include "kernels/sycl/chain/voxelize.h"
#include "kernels/sycl/sycl_device.h"
#include "tests/support/host_queue.h"

namespace scanloupe::test {

/// Runs the kernels' bodies on the host.
class HostSyclDevice : public SyclDevice {
public:
    HostSyclDevice() {
        m_info.name = "the kernels' bodies on the host";
        m_info.bytes = std::uint64_t{1} << 30;
    }
    const SyclDeviceInfo& info() const override { return m_info; }
    VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                       const std::stop_token& stop) const override {
        HostQueue queue = begin(stop);
        return sycl_chain::voxelize(queue, points, params);
    }
    ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                             const std::function<void(std::uint64_t)>& check,
                             const std::stop_token& stop) const override {
        HostQueue queue = begin(stop);
        return sycl_chain::computeField(queue, voxels, params, check);
    }
    TriangleMesh extractSurface(const ScalarField& field, float iso,
                                const std::stop_token& stop) const override {
        HostQueue queue = begin(stop);
        return sycl_chain::extractSurface(queue, field, iso);
    }
    VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                               const std::stop_token& stop) const override {
        HostQueue queue = begin(stop);
        return sycl_chain::rasterize(queue, scene, projection, stats);
    }
    Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const std::stop_token& stop) const override {
        HostQueue queue = begin(stop);
        return sycl_chain::resolve(queue, visibility, scene, projection, shading);
    }
    Buffer<Vec3f> shared(std::span<const Vec3f> values) const override { return hostCopy(values); }

protected:
    /// Called before each operator.
    virtual void wear() const {}

    SyclDeviceInfo m_info;

private:
    HostQueue begin(const std::stop_token& stop) const {
        wear();
        return HostQueue(stop);
    }
};

} // namespace scanloupe::test
