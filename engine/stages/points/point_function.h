#pragma once
// Declares running the user's CUDA functions over the points of a cloud.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/formula/trusted_code.h"

#include <span>

namespace scanloupe {

class PointAttributes;

/// Returns the results of a file's function for all points, on the host: [N, 3] colours or [N] values; NaN
/// for absent points.
/// @param up axis of heights
/// @param positions [N] positions of the points of `attributes`, on the device
/// @throws EngineError with the line of the file if it is invalid or was stopped; DeviceMemoryShort;
/// Cancelled
Buffer<float> functionOfPoints(const TrustedCudaFile& file, Vec3d up, const PointAttributes& attributes,
                               std::span<const Vec3f> positions, const Execution& on);

} // namespace scanloupe
