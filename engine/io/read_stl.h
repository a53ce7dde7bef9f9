#pragma once
#include "engine/io/input_file.h"
#include "engine/io/scan_reader.h"

#include <string_view>

namespace scanloupe {

/// True when a file begins as a text of STL, or has just the length that a binary one's count asks for.
bool beginsStl(const InputFile& file, std::string_view head);

/// The vertices of an STL file, binary or ascii: corners of triangles at the same place, to the bit, are one
/// point. Where the title names an origin, as in files of ours, the points are put back there.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readStl(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

} // namespace scanloupe
