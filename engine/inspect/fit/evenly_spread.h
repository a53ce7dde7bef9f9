#pragma once
// Declares the choice of points that are spread evenly over a scan.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scanloupe {

/// Returns the rows of at most about `most` points: the first point in each cell of a grid with a suitable
/// edge. (In a selection of every n-th point, surfaces near the scanner would dominate, because they are
/// sampled more densely.) Returns all present points if there are at most `most`.
/// @param points absent points are skipped
std::vector<std::size_t> evenlySpread(std::span<const Vec3f> points, std::size_t most);

} // namespace scanloupe
