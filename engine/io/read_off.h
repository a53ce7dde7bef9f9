#pragma once
// Declares the reader of OFF.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// Reads the vertices of an OFF file, ascii or binary, with normals and colours where it has them (Geomview's
/// manual, "OFF Files"). @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readOff(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
