#pragma once
// Declares the measurement of a mesh's boundary loops (rims).
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A directed edge without an opposite edge.
struct BoundaryEdge {
    std::uint32_t from = 0, to = 0;
    auto operator<=>(const BoundaryEdge&) const = default;
};

/// Splits boundary edges into loops that pass each vertex once, and measures the loops. Each vertex has as
/// many incoming as outgoing boundary edges, so every trace returns to its start. If loops touch at a vertex,
/// the result of splitting them depends on the trace that began at the lowest vertex. @throws Cancelled
MeshRims measureRims(std::vector<BoundaryEdge> edges, std::span<const Vec3f> positions,
                     const std::stop_token& stop);

} // namespace scanloupe
