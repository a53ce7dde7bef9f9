#pragma once
// Declares the reader of LAS and LAZ: versions 1.0 to 1.4, point formats 0 to 10, with extra bytes.
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

namespace scanloupe {

/// LAZ needs a build with LASzip. @throws EngineError; Cancelled
std::shared_ptr<PointCloud> readLas(const InputFile& file, const ReadOptions& options,
                                    const std::stop_token& stop);

/// True when this build can read and write LAZ.
bool haveLaszip();

} // namespace scanloupe
