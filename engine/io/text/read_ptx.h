#pragma once
// Declares the reader of PTX (Leica), a text format with a sequence of gridded scans and their poses.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads the points of all scans, transformed by the scans' matrices. Rays without an echo (0 0 0) become
/// NaN. If there are several scans, the cloud has the attributes sensor_x, sensor_y and sensor_z, and columns
/// that are missing in a scan are filled with NaN. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPtx(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
