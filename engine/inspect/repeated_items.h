#pragma once
// Declares the removal of coincident triangles and points: a nearest-neighbour search would compare a query
// point with all of them, since they are equally near.
#include <cstdint>
#include <stop_token>

namespace scanloupe {

struct ReferenceScan;
struct TriangleMesh;

/// Removes triangles that have the vertices of an earlier one in the same cyclic order. @returns their number
/// @throws Cancelled
std::uint64_t removeRepeated(TriangleMesh& mesh, const std::stop_token& stop);
/// Removes points that coincide with an earlier one, if many do: up to 191 may remain at one position.
/// @param scan with its tree, which is rebuilt if points were removed @returns their number @throws Cancelled
std::uint64_t removeRepeated(ReferenceScan& scan, const std::stop_token& stop);

} // namespace scanloupe
