#pragma once
// Searches the nearest triangles of a mesh repeatedly, on one backend.
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/nearest_triangles.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <optional>

namespace scanloupe {

/// A mesh prepared for searches, on the host or the device.
class NearestTriangles {
public:
    /// @param mesh on the host @param tree over its triangles @throws KernelError; Cancelled
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

    /// See cpu::nearestTrianglesOf; places and result are on the host.
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
    std::optional<cpu::TriangleSearch> m_search; ///< on the host
    TriangleMesh m_mesh;                         ///< on the device, as the tree
    Bvh m_tree;
};

} // namespace scanloupe
