#pragma once
// Declares the reader of XYZ, TXT, CSV, ASC and PTS: rows of numbers, with or without a header.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads a text. Coordinates are stored in double precision, with their number of decimals. @throws
/// EngineError; Cancelled
std::shared_ptr<const PointCloud> readText(const InputFile& file, const ReadOptions& options,
                                           const std::stop_token& stop);

} // namespace scanloupe
