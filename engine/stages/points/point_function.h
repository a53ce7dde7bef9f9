#pragma once
// Declares users' CUDA functions over the points of a cloud.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/formula/trusted_code.h"

#include <span>

namespace scanloupe {

class PointAttributes;

/// What the function of a file gives at each point: [N, 3] colours or [N] values, on the host; NaN at points
/// that are not there.
/// @param up axis of heights @param positions [N] of the points of `attributes`, on the device
/// @throws EngineError with the line of the file when it is refused or stopped; DeviceMemoryShort; Cancelled
Buffer<float> functionOfPoints(const TrustedCudaFile& file, Vec3d up, const PointAttributes& attributes,
                               std::span<const Vec3f> positions, const Execution& on);

} // namespace scanloupe
