#pragma once
// Pictures on both backends; scenes and results are on the host.
#include "kernels/core/stream.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/resolve/resolve.h"
#include "tests/bench/variants/single_frame.h"
#include "tests/support/each_backend.h"
#include "tests/support/host_sycl_device.h"
#include "tests/support/test_support.h"

#include <optional>
#include <string>

namespace scanloupe::test {

/// A copy of a host's scene on the device.
class DeviceScene {
public:
    DeviceScene(const RasterScene& scene, StreamView stream) : m_scene(scene) {
        const auto upload = [&]<class T>(std::span<const T> values) {
            return hostCopy(values).copyTo(MemorySpace::device, stream);
        };
        m_points = upload(scene.points);
        m_scene.points = {m_points.data(), m_points.size()};
        if (scene.voxels) {
            m_voxels.shape = scene.voxels->shape;
            m_voxels.keys = scene.voxels->keys.copyTo(MemorySpace::device, stream);
            m_scene.voxels = &m_voxels;
        }
        if (scene.mesh) {
            m_mesh.positions = scene.mesh->positions.copyTo(MemorySpace::device, stream);
            m_mesh.normals = scene.mesh->normals.copyTo(MemorySpace::device, stream);
            m_mesh.indices = scene.mesh->indices.copyTo(MemorySpace::device, stream);
            m_scene.mesh = &m_mesh;
        }
        const std::size_t counts[] = {scene.points.size(), m_voxels.size(), m_mesh.vertexCount()};
        Colouring* const colourings[] = {&m_scene.pointColour, &m_scene.voxelColour, &m_scene.meshColour};
        for (std::size_t i = 0; i < 3; ++i) {
            if (colourings[i]->values)
                m_values[i] = upload(std::span(colourings[i]->values, counts[i])),
                colourings[i]->values = m_values[i].data();
            if (colourings[i]->rgba)
                m_rgba[i] = upload(std::span(colourings[i]->rgba, counts[i])),
                colourings[i]->rgba = m_rgba[i].data();
        }
        stream.synchronize(); // finishes copies from host memory that is released now
    }
    const RasterScene& scene() const { return m_scene; }

private:
    RasterScene m_scene;
    Buffer<Vec3f> m_points;
    VoxelGrid m_voxels;
    TriangleMesh m_mesh;
    Buffer<float> m_values[3];
    Buffer<std::uint32_t> m_rgba[3];
};

/// The backend that the tests draw with.
class RasterBackend {
public:
    /// The backend of this run of the suite.
    static RasterBackend& current() {
        static RasterBackend backend;
        return backend;
    }
    void take(const char* name) { m_name = name; }
    bool isCuda() const { return m_name == "cuda"; }
    /// Whether the tests run the kernels of SYCL, on the host.
    bool isSycl() const { return m_name == "sycl"; }
    /// Why the backend can't run here; empty if it can.
    std::string whyNot() const {
        std::string reason;
        if (isCuda())
            haveCudaDevice(reason);
        return reason;
    }

    VisibilityBuffer draw(const RasterScene& scene, const Projection& projection, RasterStats& stats) {
        if (isSycl())
            return HostSyclDevice().rasterize(scene, projection, stats, {});
        if (!isCuda())
            return cpu::rasterize(scene, projection, stats, {});
        // above this, the operator throws before reading any point
        constexpr std::size_t kRefused = std::size_t{1} << 29;
        if (scene.points.size() > kRefused)
            return cuda::rasterize(scene, projection, stats, stream());
        const DeviceScene device(scene, stream());
        return cuda::rasterize(device.scene(), projection, stats, stream()).download(stream());
    }
    Image shade(const VisibilityBuffer& seen, const RasterScene& scene, const Projection& projection,
                const Shading& shading) {
        if (isSycl())
            return HostSyclDevice().resolve(seen, scene, projection, shading, {});
        if (!isCuda())
            return cpu::resolve(seen, scene, projection, shading, {});
        const DeviceScene device(scene, stream());
        const VisibilityBuffer there{seen.width, seen.height,
                                     seen.pixels.copyTo(MemorySpace::device, stream())};
        return cuda::resolve(there, device.scene(), projection, shading, stream()).download(stream());
    }

private:
    StreamView stream() {
        if (!m_stream)
            m_stream.emplace();
        return m_stream->view();
    }
    std::string m_name = "cpu";
    std::optional<Stream> m_stream;
};

} // namespace scanloupe::test

/// Skips a suite, from its initTestCase, where its backend can't run.
#define SKIP_WITHOUT_BACKEND()                                                                               \
    if (const std::string why = scanloupe::test::RasterBackend::current().whyNot(); !why.empty())            \
    QSKIP(why.c_str())
/// Skips a test of a feature that only the CPU has.
#define CPU_ONLY(why)                                                                                        \
    if (scanloupe::test::RasterBackend::current().isCuda() ||                                                \
        scanloupe::test::RasterBackend::current().isSycl())                                                  \
    QSKIP(why)
#define RASTER_TEST(Suite)                                                                                   \
    SCANLOUPE_TEST_BY(Suite, [](int argc, char** argv) {                                                     \
        return scanloupe::test::runOnEachBackend<scanloupe::test::RasterBackend, Suite>(                     \
            argc, argv, {"cpu", "cuda", "sycl"});                                                            \
    })
