#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/io/progress.h"
#include "kernels/synth/scan_generator.h"

namespace scanloupe {

/// A generated scan as a cloud with intensity, time, ring and sensor_x, _y, _z, and its true normals if
/// wanted.
/// @throws EngineError when it would not fit into memory; KernelError as synth::generate; Cancelled.
PointCloud syntheticCloud(const synth::ScanParams& params, bool normals, const ProgressFunction& progress,
                          const std::stop_token& stop);

} // namespace scanloupe
