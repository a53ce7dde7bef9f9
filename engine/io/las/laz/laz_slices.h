#pragma once
// Declares the slices of LAZ files, and the chunks in each slice.
#include "engine/io/las/las_slices.h"
#include "engine/io/las/laz/laz_chunks.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct LazSlice {
    LasSlice share;
    std::vector<LazChunk> chunks; ///< in the order of the file
};

/// Returns the slices in the order of compressedLasSlices(). @param most maximum number of points of a slice;
/// slices of a single chunk may exceed it @throws EngineError; Cancelled
std::vector<LazSlice> lazSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop);

} // namespace scanloupe
