#pragma once
// Declares the E57 reader (ASTM E2807): all scans of a file in one frame; Cartesian or spherical, floats,
// integers and scaled integers.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// @throws EngineError; Cancelled
std::shared_ptr<PointCloud> readE57(const InputFile& file, const ReadOptions& options,
                                    const std::stop_token& stop);

} // namespace scanloupe
