#pragma once
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// The points of a legacy VTK file, ascii or binary, with the values that it has a point.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readVtk(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
