#pragma once
// Declares triangle clusters of a mesh (meshlets, as in Karis et al., Nanite, 2021): most of a large mesh is
// culled without a read of its vertices, and the rest from some 5 bytes a triangle.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>

namespace scanloupe {

/// Triangles of a cluster: a strip of so many has 128 vertices.
inline constexpr std::uint32_t kClusterTriangles = 126;
inline constexpr std::uint32_t kClusterVertices = 256; ///< of a cluster at most: indices have 8 bits

inline constexpr std::uint32_t kClusterAlign = 4; ///< words: alignment of what is loaded two words at a time
inline constexpr std::uint32_t kClusterBeyond = 128; ///< words past a cluster's end that may be loaded

/// Bounds of a cluster, and where its words are.
struct alignas(16) ClusterHead {
    Vec3f low;               ///< of the box of its vertices, metres
    float cosine;            ///< of half the angle of the cone that holds its normals
    Vec3f step;              ///< extent of the box: metres of all steps along x, y, z
    float roundness;         ///< metres: the least ratio of twice an area to a perimeter; 0: no usable cone
    Vec3f axis;              ///< of the cone, a unit vector
    std::uint32_t first;     ///< of its words
    std::uint32_t vertices;  ///< 0: unquantized, its triangles are tested one by one
    std::uint32_t pairs;     ///< of triangles that share an edge: they come before the single ones
    std::uint32_t slotCount; ///< pairs and single triangles
    std::uint32_t unused;    ///< 0
};
static_assert(sizeof(ClusterHead) == 64);

/// All triangles of a mesh in clusters of kClusterTriangles, along a Hilbert curve through the middles of
/// their longest edges; on the device. One vertex far from all others leaves them in the mesh's own order.
struct TriangleClusters {
    const Vec3f* of = nullptr;   ///< the mesh's vertices, which may not change
    Buffer<std::uint32_t> order; ///< [T] the mesh's triangles, cluster by cluster, those of pairs first
    Buffer<ClusterHead> heads;   ///< [C]
    /// For each cluster: a word per slot, of four vertex indices of 8 bits each (see ClusterPair); then a
    /// word per vertex, steps along x, y, z from the box's low corner, from the lowest bit on. Both begin at
    /// multiples of kClusterAlign; after the last cluster, kClusterBeyond words have no meaning.
    Buffer<std::uint32_t> words;
    /// Clusters with too many or missing vertices, or some beyond kClusterReach.
    std::uint64_t unquantized = 0;

    std::uint64_t bytes() const { return order.bytes() + heads.bytes() + words.bytes(); }
};

namespace cuda {
/// @param mesh on the device @returns the same bytes for the same mesh
/// @note Synchronizes with `stream` to learn how many words there are. @throws DeviceMemoryShort,
/// KernelError
TriangleClusters clusterTriangles(const TriangleMesh& mesh, StreamView stream);
} // namespace cuda

} // namespace scanloupe
