#pragma once
// Declares the nesting of closed shells within each other.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A closed part of a mesh.
struct Shell {
    Box3f box;
    std::uint32_t firstTriangle = 0;
    std::uint64_t triangles = 0;
};

inline constexpr std::uint32_t kNoShell = 0xffffffffu;

/// The number of shells that enclose each shell completely, [S]; this is tested for up to 32 of its
/// triangles.
/// @param shellOf [T] the shell of each triangle, or kNoShell @param tree over all triangles
/// @throws Cancelled
std::vector<std::uint32_t> nestingDepths(const TriangleMesh& mesh, const Bvh& tree,
                                         std::span<const Shell> shells,
                                         std::span<const std::uint32_t> shellOf, const std::stop_token& stop);

} // namespace scanloupe
