#pragma once
// Declares triangle clusters of a mesh (meshlets, as in Karis et al., Nanite, 2021). Most clusters of a large
// mesh are culled without reading their vertices; the others need about 5 bytes per triangle.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>

namespace scanloupe {

/// Maximum number of triangles per cluster: a strip of 126 triangles has 128 vertices.
inline constexpr std::uint32_t kClusterTriangles = 126;
inline constexpr std::uint32_t kClusterVertices = 256; ///< maximum number of vertices per cluster: indices
                                                       ///< have 8 bits

inline constexpr std::uint32_t kClusterAlign = 4; ///< alignment, in words, of a cluster's slots and vertices,
                                                  ///< for loads of two words at a time
inline constexpr std::uint32_t kClusterBeyond = 128; ///< number of words after a cluster's end that may be
                                                     ///< loaded

/// Bounding volumes of a cluster, and the position of its words.
struct alignas(16) ClusterHead {
    Vec3f low;           ///< low corner of the bounding box of its vertices, metres
    float cosine;        ///< cosine of the half angle of the cone that contains its normals
    Vec3f step;          ///< extent of the bounding box along x, y, z: metres over all quantization steps
    float roundness;     ///< metres: minimum over the triangles of twice the area divided by the perimeter; 0
                         ///< without a usable cone
    Vec3f axis;          ///< axis of the cone, a unit vector
    std::uint32_t first; ///< index of the cluster's first word
    std::uint32_t vertices;  ///< number of vertices; 0 for an unquantized cluster, whose triangles are tested
                             ///< individually
    std::uint32_t pairs;     ///< number of pairs of triangles that share an edge; they are stored before the
                             ///< single triangles
    std::uint32_t slotCount; ///< number of pairs and single triangles
    std::uint32_t unused;    ///< padding, always 0
};
static_assert(sizeof(ClusterHead) == 64);

/// All triangles of a mesh in clusters of kClusterTriangles, sorted along a Hilbert curve through the centres
/// of their longest edges; on the device. If one vertex is far away from all others, all triangles fall into
/// one cell of the curve and keep the order of the mesh.
struct TriangleClusters {
    const Vec3f* of = nullptr;   ///< the mesh's vertices, which must stay unchanged
    Buffer<std::uint32_t> order; ///< [T] indices of the mesh's triangles, cluster by cluster, pairs before
                                 ///< single triangles
    Buffer<ClusterHead> heads;   ///< [C] heads of the clusters
    /// Words of each cluster: first one word per slot, with four vertex indices of 8 bits each (see
    /// ClusterPair); then one word per vertex, with its steps along x, y, z from the box's low corner, from
    /// the lowest bit on. Both parts begin at multiples of kClusterAlign; kClusterBeyond unused words follow
    /// the last cluster.
    Buffer<std::uint32_t> words;
    /// Number of clusters with too many vertices, missing vertices, or coordinates beyond kClusterReach.
    std::uint64_t unquantized = 0;

    std::uint64_t bytes() const { return order.bytes() + heads.bytes() + words.bytes(); }
};

namespace cuda {
/// Builds the clusters of a mesh. Deterministic. @param mesh on the device
/// @note Synchronizes with `stream` to read the number of words. @throws DeviceMemoryShort, KernelError
TriangleClusters clusterTriangles(const TriangleMesh& mesh, StreamView stream);
} // namespace cuda

} // namespace scanloupe
