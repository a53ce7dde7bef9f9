#pragma once
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// The vertices of a binary glTF 2.0 file as its scene places them, turned from glTF's y up to z up; with
/// normals, colours (linear in the file, sRGB here) and all further values. What other primitives lack is
/// NaN.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readGlb(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
