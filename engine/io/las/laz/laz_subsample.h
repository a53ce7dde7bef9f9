#pragma once
// Declares the selection of points of LAZ files for a quick look.
#include "engine/io/las/laz/laz_chunks.h"

namespace scanloupe {

/// Returns chunks, or beginnings of chunks, with about `wanted` points in total: the coarse levels of a COPC
/// octree, or points from all over another file. Empty if the chunks could not be located, or are too few to
/// represent the whole scan.
std::vector<LazChunk> subsampleLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         const LazChunks& found, std::size_t wanted,
                                         const std::stop_token& stop);

} // namespace scanloupe
