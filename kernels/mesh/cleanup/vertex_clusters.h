#pragma once
// Declares vertex clustering: vertices in the same cube that are connected within it become one.
#include "kernels/mesh/cleanup/cluster_element.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <bit>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Clusters of a mesh's vertices, for a sequence of cube edges; a cluster is identified by its lowest vertex.
/// The mesh and the token must outlive it. All functions throw Cancelled.
class VertexClusters {
public:
    VertexClusters(const TriangleMesh& mesh, const std::stop_token& stop);

    double area() const { return m_area; } ///< square metres of the mesh
    /// smallest edge of cubes that keys can distinguish
    float smallestEdge() const { return m_smallestEdge; }
    float edge() const { return m_cubes.edge; } ///< edge of the cubes of the last clustering
    int indexBits() const { return std::bit_width(m_mesh.vertexCount()); } ///< bits of a cluster's index
    /// Repeats the clustering with cubes of this edge; returns the number of triangles that keep three
    /// corners.
    std::uint64_t cluster(float edge);
    /// The triangles that keep three corners, as indices of clusters, [K, 3], in the mesh's order.
    std::vector<std::uint32_t> triangles() const;
    /// Gives `coarse` a vertex for each cluster in `used`: position and normal.
    void placeVertices(const VertexRemap& used, TriangleMesh& coarse) const;

private:
    /// Indices of the triangles incident to each cluster, ascending: those of cluster u end at ends[u].
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
    std::vector<std::uint64_t> m_keys;        // [M] cube of each vertex
    std::span<const std::uint32_t> m_cluster; // [M]
};

} // namespace scanloupe::cpu
