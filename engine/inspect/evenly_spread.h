#pragma once
// Declares the choice of points that are spread evenly over a scan.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <vector>

namespace scanloupe {

/// The rows of at most about `most` points: the first in each cell of a grid whose edge is found so. A
/// scanner sees what is near many times as densely: in every n-th point it would outweigh all else. All rows
/// that are present if they are not more. @param points those that are not present are none of them
std::vector<std::size_t> evenlySpread(std::span<const Vec3f> points, std::size_t most);

} // namespace scanloupe
