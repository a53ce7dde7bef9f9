#pragma once
// Declares triangle clusters of a mesh (meshlets, as in Karis et al., Nanite, 2021): most of a large mesh is
// culled without reading its vertices, and the rest with some 5 bytes per triangle.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>

namespace scanloupe {

/// Triangles of a cluster: a strip of 126 has 128 vertices.
inline constexpr std::uint32_t kClusterTriangles = 126;
inline constexpr std::uint32_t kClusterVertices = 256; ///< maximum of a cluster: indices have 8 bits

inline constexpr std::uint32_t kClusterAlign = 4; ///< words: loads of two words at a time need this alignment
inline constexpr std::uint32_t kClusterBeyond = 128; ///< words after a cluster's end that may be loaded

/// Bounds of a cluster, and the position of its words.
struct alignas(16) ClusterHead {
    Vec3f low;               ///< low corner of the box of its vertices, metres
    float cosine;            ///< cosine of half the angle of the cone that holds its normals
    Vec3f step;              ///< extent of the box: metres of all steps along x, y, z
    float roundness;         ///< metres: the minimum ratio of twice an area to a perimeter; 0: no usable cone
    Vec3f axis;              ///< axis of the cone, a unit vector
    std::uint32_t first;     ///< index of its first word
    std::uint32_t vertices;  ///< 0: unquantized, its triangles are tested individually
    std::uint32_t pairs;     ///< pairs of triangles that share an edge, stored before the single triangles
    std::uint32_t slotCount; ///< pairs and single triangles
    std::uint32_t unused;    ///< 0
};
static_assert(sizeof(ClusterHead) == 64);

/// All triangles of a mesh in clusters of kClusterTriangles, along a Hilbert curve through the middles of
/// their longest edges; on the device. If one vertex is far from all others, they stay in the order of the
/// mesh.
struct TriangleClusters {
    const Vec3f* of = nullptr;   ///< the mesh's vertices, which may not change
    Buffer<std::uint32_t> order; ///< [T] the mesh's triangles, cluster by cluster, those of pairs first
    Buffer<ClusterHead> heads;   ///< [C]
    /// For each cluster: a word per slot, of four vertex indices of 8 bits each (see ClusterPair); then a
    /// word per vertex, steps along x, y, z from the box's low corner, from the lowest bit on. Both begin at
    /// multiples of kClusterAlign; kClusterBeyond unused words follow the last cluster.
    Buffer<std::uint32_t> words;
    /// Clusters with too many or missing vertices, or some beyond kClusterReach.
    std::uint64_t unquantized = 0;

    std::uint64_t bytes() const { return order.bytes() + heads.bytes() + words.bytes(); }
};

namespace cuda {
/// @param mesh on the device @returns the same bytes for the same mesh
/// @note Synchronizes with `stream` to read the number of words. @throws DeviceMemoryShort, KernelError
TriangleClusters clusterTriangles(const TriangleMesh& mesh, StreamView stream);
} // namespace cuda

} // namespace scanloupe
