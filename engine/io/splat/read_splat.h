#pragma once
// Declares the reader of .splat, the format in which web viewers load 3D Gaussian splats.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads the centres of Gaussian splats with their colour, opacity (alpha), scales along the axes (metres)
/// and rotation (a quaternion, 128 + 128 times each component). A file is a row of records without a header:
/// three floats of position, three of scale, four bytes of colour and four of rotation, little endian.
/// Source: the file format of the splat viewer by Kwok, github.com/antimatter15/splat, 2023.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readSplat(const InputFile& file, const ReadOptions& options,
                                            const std::stop_token& stop);

} // namespace scanloupe
