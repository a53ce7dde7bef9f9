#pragma once
// Declares the maximum size of a mesh.
#include <cstdint>
#include <limits>

namespace scanloupe {

/// Maximum number of vertices for 32-bit indices; one value is reserved as a marker.
inline constexpr std::uint64_t kMaxVertices = std::numeric_limits<std::uint32_t>::max();

/// Checks that vertices can be indexed. @throws KernelError for more vertices than kMaxVertices, with the
/// memory that the mesh would need.
void requireIndexable(std::uint64_t vertices, std::uint64_t triangles);

} // namespace scanloupe
