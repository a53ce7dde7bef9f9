#pragma once
// Declares the normals of the points of a scan.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <stop_token>

namespace scanloupe {

class PointCloud;

/// Returns the unit normals of every `stride`-th point from the scan's file, [M]; zero for points without a
/// normal; empty if the scan has no normals, or if all are zero. @throws EngineError if the normals can't be
/// read; Cancelled.
Buffer<Vec3f> unitNormals(const PointCloud& scan, std::size_t stride, const std::stop_token& stop);

} // namespace scanloupe
