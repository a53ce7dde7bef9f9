#pragma once
// Declares functions that people write in CUDA, over the points of a cloud.
#include "engine/edit/edits.h"
#include "engine/results/point_attributes.h"
#include "kernels/core/execution.h"

#include <span>

namespace scanloupe {

/// What the function of a file gives at each point: [N, 3] colours or [N] values, on the host; NaN at points
/// that are not there.
/// @param positions [N] of the points of `attributes`, on the device
/// @throws EngineError with the line of the file when it is refused or stopped; DeviceMemoryShort; Cancelled
Buffer<float> functionOfPoints(const CudaFileAction& action, const PointAttributes& attributes,
                               std::span<const Vec3f> positions, const Execution& on);

} // namespace scanloupe
