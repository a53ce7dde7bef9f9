#pragma once
// Declares the removal of triangles and points that coincide: a search for the nearest one would compare all
// of them with each place, since they are equally near.
#include "engine/inspect/reference.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// Removes triangles that have the vertices of an earlier one in the same cyclic order. @returns how many
/// @throws Cancelled
std::uint64_t removeRepeated(TriangleMesh& mesh, const std::stop_token& stop);
/// Removes points that coincide with an earlier one, if many do: up to 191 at one place may stay. @param scan
/// with its tree, which is built again if points were removed @returns how many @throws Cancelled
std::uint64_t removeRepeated(ReferenceScan& scan, const std::stop_token& stop);

} // namespace scanloupe
