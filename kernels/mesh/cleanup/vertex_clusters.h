#pragma once
// Declares vertex clustering: merges vertices that are in the same cube and connected within it.
#include "kernels/mesh/cleanup/cluster_element.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <bit>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Clusters a mesh's vertices repeatedly with different cube sizes. A cluster is identified by its lowest
/// vertex. The mesh and the stop token must outlive the object. All functions throw Cancelled.
class VertexClusters {
public:
    VertexClusters(const TriangleMesh& mesh, const std::stop_token& stop);

    double area() const { return m_area; } ///< area of the mesh, square metres
    /// smallest cube edge that keys can represent, metres
    float smallestEdge() const { return m_smallestEdge; }
    float edge() const { return m_cubes.edge; } ///< cube edge of the last clustering, metres
    /// number of bits of a cluster's index
    int indexBits() const { return std::bit_width(m_mesh.vertexCount()); }
    /// Clusters the vertices with cubes of the given edge length, metres. Returns the number of triangles
    /// that still have three different corners.
    std::uint64_t cluster(float edge);
    /// Returns the triangles that still have three different corners, as indices of clusters, [K, 3], in mesh
    /// order.
    std::vector<std::uint32_t> triangles() const;
    /// Sets the positions and normals of `coarse`: one vertex per cluster in `used`.
    void placeVertices(const VertexRemap& used, TriangleMesh& coarse) const;

private:
    /// Indices of the triangles incident to each cluster, ascending. The triangles of cluster u end at
    /// ends[u].
    struct IncidentTriangles {
        std::vector<std::uint64_t> ends, triangles;
    };
    IncidentTriangles incidentTriangles(const VertexRemap& used) const;

    const TriangleMesh& m_mesh;
    const std::stop_token& m_stop;
    double m_area = 0;
    float m_smallestEdge = 0;
    Vec3f m_low;
    ClusteringGrid m_cubes{};
    DisjointSets m_sets;
    std::vector<std::uint64_t> m_keys;        // [M] key of the cube of each vertex
    std::span<const std::uint32_t> m_cluster; // [M] cluster of each vertex
};

} // namespace scanloupe::cpu
