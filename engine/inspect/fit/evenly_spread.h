#pragma once
// Declares the choice of points that are spread evenly over a scan.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scanloupe {

/// The rows of approximately `most` points at most: the first in each cell of a grid with a suitable edge. A
/// scanner samples nearby surfaces many times as densely: they would dominate a selection of every n-th
/// point. Returns all rows that are present if there are no more than `most`. @param points absent points are
/// skipped
std::vector<std::size_t> evenlySpread(std::span<const Vec3f> points, std::size_t most);

} // namespace scanloupe
