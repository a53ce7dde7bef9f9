#pragma once
// Declares the normals of the points of a scan.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <stop_token>

namespace scanloupe {

class PointCloud;

/// [M] unit normals of every `stride`-th point, as the scan's file has them; zero where it has none for a
/// point; empty where it has none at all, or all are zero. @throws EngineError when they can't be read;
/// Cancelled.
Buffer<Vec3f> unitNormals(const PointCloud& scan, std::size_t stride, const std::stop_token& stop);

} // namespace scanloupe
