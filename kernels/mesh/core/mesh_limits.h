#pragma once
// Declares the limit of a mesh's size.
#include <cstdint>
#include <limits>

namespace scanloupe {

/// Maximum number of vertices for 32-bit indices; one value is reserved as a marker.
inline constexpr std::uint64_t kMaxVertices = std::numeric_limits<std::uint32_t>::max();

/// @throws KernelError for more vertices than kMaxVertices, with the size that would be needed.
void requireIndexable(std::uint64_t vertices, std::uint64_t triangles);

} // namespace scanloupe
