#pragma once
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// The vertices of an OFF file, ascii or binary, with normals and colours where it has them (Geomview's
/// manual, "OFF Files").
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readOff(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
