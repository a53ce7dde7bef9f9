#pragma once
// Marching cubes on the backend that a row of the test names.
#include "kernels/mesh/core/triangle_mesh.h"
#include "tests/support/backend_rows.h"
#include "tests/support/host_sycl_device.h"
#include "tests/support/uploaded_field.h"

#include <cstring>
#include <optional>
#include <string>

namespace scanloupe::test {

/// Extracts surfaces on one backend, from fields on the host to meshes on the host.
class Extractor {
public:
    explicit Extractor(const QString& backend) {
        if (backend == "cuda")
            m_stream.emplace();
        else if (backend == kSyclBodies)
            m_sycl = std::make_shared<const HostSyclDevice>();
        else if (backend == "sycl")
            m_sycl = syclDevices().usable.front();
    }
    TriangleMesh operator()(const ScalarField& field, float iso, const std::stop_token& stop = {}) const {
        if (m_sycl)
            return m_sycl->extractSurface(field, iso, stop);
        if (!m_stream)
            return cpu::extractSurface(field, iso, stop);
        const ScalarField onDevice = uploaded(field, *m_stream);
        return cuda::extractSurface(onDevice, iso, stop, *m_stream).download(*m_stream);
    }

private:
    std::optional<Stream> m_stream;
    std::shared_ptr<const SyclDevice> m_sycl;
};

inline void addMeshBackends() {
    addBackendRows({"cpu", "cuda", kSyclBodies, "sycl"});
}

template <class T>
bool sameBytes(const Buffer<T>& a, const Buffer<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.bytes()) == 0);
}

/// The first difference between two meshes on the host, bit by bit; empty when there is none.
inline std::string difference(const TriangleMesh& a, const TriangleMesh& b) {
    const auto counts = [](const TriangleMesh& mesh) {
        return std::to_string(mesh.activeBricks) + " bricks, " + std::to_string(mesh.activeCells) +
               " cells, " + std::to_string(mesh.vertexCount()) + " vertices, " +
               std::to_string(mesh.triangleCount()) + " triangles, " +
               std::to_string(mesh.zeroAreaTriangles) + " of them without area";
    };
    if (counts(a) != counts(b))
        return counts(a) + " against " + counts(b);
    if (!sameBytes(a.indices, b.indices))
        return "the indices differ";
    if (!sameBytes(a.positions, b.positions))
        return "the positions differ";
    if (!sameBytes(a.normals, b.normals))
        return "the normals differ";
    return {};
}

} // namespace scanloupe::test

/// Declares a test that runs on each backend, as name##On(Extractor), and skips those that can't run here.
#define ON_EACH_MESH_BACKEND(name) ON_BACKENDS_OF(addMeshBackends, name, Extractor(backend))
