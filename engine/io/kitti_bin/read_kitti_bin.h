#pragma once
// Declares the reader of headerless sweeps: .bin files of KITTI (x, y, z, intensity) and nuScenes (plus ring
// or time), float32 or float16, little endian.
#include "engine/io/common/input_file.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads a sweep. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readKittiBin(const InputFile& file, const ReadOptions& options,
                                               const std::stop_token& stop);

} // namespace scanloupe
