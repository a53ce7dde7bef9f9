#pragma once
// Declares the reader of legacy VTK files.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// Reads the points of a legacy VTK file, ascii or binary, with their point data.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readVtk(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
