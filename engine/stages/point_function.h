#pragma once
// Declares functions that people write in CUDA, over the points of a cloud.
#include "engine/results/point_attributes.h"
#include "kernels/core/execution.h"
#include "kernels/formula/trusted_code.h"

#include <span>

namespace scanloupe {

/// What the function of a file gives at each point: [N, 3] colours or [N] values, on the host; NaN at points
/// that are not there.
/// @param up axis of heights @param positions [N] of the points of `attributes`, on the device
/// @throws EngineError with the line of the file when it is refused or stopped; DeviceMemoryShort; Cancelled
Buffer<float> functionOfPoints(const TrustedCudaFile& file, Vec3d up, const PointAttributes& attributes,
                               std::span<const Vec3f> positions, const Execution& on);

} // namespace scanloupe
