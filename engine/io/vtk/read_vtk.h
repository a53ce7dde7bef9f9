#pragma once
// Declares the reader of legacy VTK files.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether a file begins like legacy VTK, or like VTK's XML, which readVtk() rejects with advice.
bool beginsVtk(std::string_view head);

/// Reads the points of an ascii or binary legacy VTK file, with their point data.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readVtk(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
