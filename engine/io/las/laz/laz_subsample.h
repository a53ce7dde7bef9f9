#pragma once
// Declares the selection of points of LAZ files for previews.
#include "engine/io/las/laz/laz_chunks.h"

namespace scanloupe {

/// Returns chunks, or beginnings of chunks, with about `wanted` points in total. For COPC, these are the
/// coarse levels of the octree; for other files, these are beginnings of chunks that are evenly distributed
/// over the file. Empty if the chunks can't be located, or are too few to represent the whole scan.
std::vector<LazChunk> subsampleLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         const LazChunks& found, std::size_t wanted,
                                         const std::stop_token& stop);

} // namespace scanloupe
