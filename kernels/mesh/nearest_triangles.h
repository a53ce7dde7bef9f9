#pragma once
// Searches the nearest triangles of a mesh repeatedly on one backend.
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/nearest_triangles.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <optional>

namespace scanloupe {

/// A mesh in the memory of one backend, prepared for nearest-triangle searches.
class NearestTriangles {
public:
    /// @param mesh on the host @param tree search tree over its triangles, on the host @throws KernelError;
    /// Cancelled
    NearestTriangles(const TriangleMesh& mesh, const Bvh& tree, const Execution& on) : m_on(on) {
        if (!on.onDevice()) {
            m_search.emplace(mesh, tree, on.stop);
            return;
        }
        const StreamView stream = *on.device;
        m_mesh.positions = mesh.positions.copyTo(MemorySpace::device, stream);
        m_mesh.indices = mesh.indices.copyTo(MemorySpace::device, stream);
        m_tree = {tree.boxes.copyTo(MemorySpace::device, stream),
                  tree.order.copyTo(MemorySpace::device, stream), tree.shape};
    }

    /// Returns the nearest triangle of each place, see cpu::nearestTrianglesOf; `places` and the result are
    /// on the host.
    Buffer<std::uint32_t> of(const Buffer<Vec3f>& places, float largest) const {
        if (!m_on.onDevice())
            return cpu::nearestTrianglesOf(places.span(), *m_search, largest, m_on.stop);
        const StreamView stream = *m_on.device;
        const Buffer<Vec3f> there = places.copyTo(MemorySpace::device, stream);
        return cuda::nearestTrianglesOf(there, m_mesh, m_tree, largest, m_on.stop, stream)
            .copyTo(MemorySpace::host, stream);
    }

private:
    Execution m_on;
    std::optional<cpu::TriangleSearch> m_search; ///< search on the host; empty on a device
    TriangleMesh m_mesh;                         ///< copy of the mesh on the device; empty on the host
    Bvh m_tree;
};

} // namespace scanloupe
