#pragma once
// Declares the reader of LAS and LAZ: versions 1.0 to 1.4, point formats 0 to 10, with extra bytes.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// True when a file begins as LAS or LAZ.
bool beginsLas(std::string_view head);

/// LAZ needs a build with LASzip. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readLas(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// True for COPC, where this build can read it. @throws EngineError
bool hasOctree(const InputFile& file);

/// True when this build can read and write LAZ.
bool haveLaszip();

} // namespace scanloupe
