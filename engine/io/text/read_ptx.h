#pragma once
// Declares the reader of PTX (Leica): gridded scans, each with its pose, one after another in a text.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads the points of all scans, transformed by their matrices; a ray without an echo (0 0 0) becomes NaN.
/// Several scans get the attributes sensor_x, sensor_y, sensor_z, and NaN in the columns that only others
/// have. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPtx(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
