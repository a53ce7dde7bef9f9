#pragma once
// Declares the removal of coincident triangles and points. A nearest-neighbour search would compare a query
// point with all of them, because they are equally near.
#include <cstdint>
#include <stop_token>

namespace scanloupe {

struct ReferenceScan;
struct TriangleMesh;

/// Removes triangles that have the same vertices as an earlier triangle in the same cyclic order.
/// @returns the number of removed triangles @throws Cancelled
std::uint64_t removeRepeated(TriangleMesh& mesh, const std::stop_token& stop);
/// Removes points that coincide with an earlier point. Does nothing for a few of them: up to 191 points may
/// remain at one position.
/// @param scan has a tree, which is rebuilt if points were removed
/// @returns the number of removed points @throws Cancelled
std::uint64_t removeRepeated(ReferenceScan& scan, const std::stop_token& stop);

} // namespace scanloupe
