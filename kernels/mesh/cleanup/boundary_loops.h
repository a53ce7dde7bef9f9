#pragma once
// Declares the measurement of a mesh's boundary loops (rims).
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A directed edge that has no opposite one.
struct BoundaryEdge {
    std::uint32_t from = 0, to = 0;
    auto operator<=>(const BoundaryEdge&) const = default;
};

/// Splits boundary edges into loops that pass each vertex once. Equally many edges enter and leave each
/// vertex, so that every trace returns to its start; if rims touch in a vertex, the trace that began at the
/// lowest vertex determines the split. @throws Cancelled
MeshRims measureRims(std::vector<BoundaryEdge> edges, std::span<const Vec3f> positions,
                     const std::stop_token& stop);

} // namespace scanloupe
