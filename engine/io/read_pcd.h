#pragma once
// Declares the reader of PCD 0.5 to 0.7: ascii, binary and binary_compressed, organized or not.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// @throws EngineError; Cancelled
std::shared_ptr<PointCloud> readPcd(const InputFile& file, const ReadOptions& options,
                                    const std::stop_token& stop);

} // namespace scanloupe
