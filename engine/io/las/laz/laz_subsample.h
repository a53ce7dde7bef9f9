#pragma once
// Declares the choice of points of LAZ files for a first look.
#include "engine/io/las/laz/laz_chunks.h"

namespace scanloupe {

/// Chunks, or beginnings of chunks, with about `wanted` points in total: for COPC the coarse levels of its
/// octree, for other files points from all over it. None where the chunks could not be located, or are too
/// few to represent the whole scan.
std::vector<LazChunk> subsampleLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                         const LazChunks& found, std::size_t wanted,
                                         const std::stop_token& stop);

} // namespace scanloupe
