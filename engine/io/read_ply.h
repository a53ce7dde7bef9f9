#pragma once
// Declares the reader of PLY: ascii, little and big endian, any property order and type; lists and other
// elements are skipped.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// @throws EngineError; Cancelled
std::shared_ptr<PointCloud> readPly(const InputFile& file, const ReadOptions& options,
                                    const std::stop_token& stop);

} // namespace scanloupe
