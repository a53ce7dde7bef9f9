#pragma once
// Declares the E57 reader (ASTM E2807): all scans of a file in one frame; Cartesian or spherical, floats,
// integers and scaled integers.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like E57.
bool beginsE57(std::string_view head);

/// Reads all scans of a file into one cloud. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readE57(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
