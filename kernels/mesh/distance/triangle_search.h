#pragma once
// Declares the search for the nearest triangle on the CPU, four boxes and four triangles at a time.
#include "kernels/core/vec3.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// Four numbers that are computed with at once.
using Lanes [[gnu::vector_size(16)]] = float;

/// The boxes of a tree and the triangles of its mesh in the order that they are looked at, four side by side:
/// a search then waits for memory a fifth as often as with the mesh itself. Copies what it needs.
class TriangleSearch {
public:
    /// @throws Fault for the tree of another mesh; Cancelled.
    TriangleSearch(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop);

    /// As nearestItem() of the tree, with the same result. From any thread.
    NearestItem nearest(Vec3f p, NearestItem best) const;

    /// Memory for a mesh of so many triangles.
    static std::uint64_t bytesFor(std::uint64_t triangles) {
        return triangles * (sizeof(Triangles) + sizeof(Boxes) / 3) / kLeafItems;
    }

private:
    struct Boxes {
        std::array<Lanes, 3> low, high; ///< of four siblings; those that are not there have no extent
    };
    struct Triangles {
        std::array<std::array<Lanes, 3>, 3> corners; ///< [corner][axis] of four triangles
        std::array<std::uint32_t, 4> ids;            ///< kNoItem for those that are not there
    };
    void lookAt(const Triangles& leaf, Vec3f p, NearestItem& best) const;

    std::size_t m_size = 0;
    BvhView m_shape;                                     ///< pointers are null
    std::array<std::uint64_t, kMaxBvhLevels> m_begins{}; ///< of each level in `m_boxes`
    std::vector<Boxes> m_boxes;                          ///< of all levels, leaves first
    std::vector<Triangles> m_leaves;
};

} // namespace scanloupe::cpu
