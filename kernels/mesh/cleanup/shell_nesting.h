#pragma once
// Declares the nesting depths of closed shells.
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

/// Returns, for each shell, the number of shells that enclose it completely: [S]. Up to 32 triangles of the
/// shell are tested.
/// @param shellOf [T] index of each triangle's shell, or kNoShell @param tree search tree over all triangles
/// @throws Cancelled
std::vector<std::uint32_t> nestingDepths(const TriangleMesh& mesh, const Bvh& tree,
                                         std::span<const Shell> shells,
                                         std::span<const std::uint32_t> shellOf, const std::stop_token& stop);

} // namespace scanloupe
