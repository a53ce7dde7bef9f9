#pragma once
// How large a mesh may be.
#include <cstdint>
#include <limits>

namespace scanloupe {

/// Vertices that 32-bit indices can name, one value left over as a mark.
inline constexpr std::uint64_t kMaxVertices = std::numeric_limits<std::uint32_t>::max();

/// @throws KernelError for more vertices than that: with the size that would have been needed.
void requireIndexable(std::uint64_t vertices, std::uint64_t triangles);

} // namespace scanloupe
