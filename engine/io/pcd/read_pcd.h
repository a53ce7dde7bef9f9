#pragma once
// Declares the reader of PCD 0.5 to 0.7: ascii, binary and binary_compressed, organized or not.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like PCD, possibly after comments.
bool beginsPcd(std::string_view head);

/// Reads a PCD file. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPcd(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
