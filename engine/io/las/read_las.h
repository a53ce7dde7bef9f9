#pragma once
// Declares the reader of LAS and LAZ: versions 1.0 to 1.4, point formats 0 to 10, with extra bytes.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like LAS or LAZ.
bool beginsLas(std::string_view head);

/// Reads a file; LAZ requires a build with LASzip. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readLas(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Whether the file is COPC and this build can read it. @throws EngineError
bool hasOctree(const InputFile& file);

/// Whether this build can read and write LAZ.
bool haveLaszip();

} // namespace scanloupe
