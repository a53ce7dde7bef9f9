#pragma once
// Declares the reader of legacy VTK files.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like legacy VTK, or like VTK's XML, which the reader rejects with advice.
bool beginsVtk(std::string_view head);

/// Reads the points of a legacy VTK file, ascii or binary, with their point data.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readVtk(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
