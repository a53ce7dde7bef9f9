#pragma once
// Declares the reader of .splat, a format of web viewers for 3D Gaussian splats.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads the centres of Gaussian splats with colour, opacity (alpha), scales along the axes (metres) and
/// rotation (a quaternion; each component q is stored as the byte 128 + 128 q). A file is a sequence of
/// little-endian records without a header: position (three floats), scale (three floats), RGBA colour (four
/// bytes) and rotation (four bytes: w, x, y, z). Source: the file format of the splat viewer by Kwok,
/// github.com/antimatter15/splat, 2023.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readSplat(const InputFile& file, const ReadOptions& options,
                                            const std::stop_token& stop);

} // namespace scanloupe
