#pragma once
// Declares the reader of PCD 0.5 to 0.7: ascii, binary and binary_compressed, organized or not.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/read_options.h"

#include <string_view>

namespace scanloupe {

/// True when a file begins as PCD, after comments or not.
bool beginsPcd(std::string_view head);

/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPcd(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
