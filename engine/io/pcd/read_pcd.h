#pragma once
// Declares the reader of PCD 0.5 to 0.7: ascii, binary and binary_compressed, organized or not.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether a file begins like PCD, possibly after comments.
bool beginsPcd(std::string_view head);

/// Reads a PCD file. Returns null if ReadOptions::subsample is set, but a subsample is not possible or would
/// not be faster. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPcd(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
