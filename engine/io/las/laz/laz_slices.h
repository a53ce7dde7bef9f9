#pragma once
// Declares the slices of LAZ files with their chunks.
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

/// Returns the slices in the order of compressedLasSlices(). @throws as lasSlices()
std::vector<LazSlice> lazSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop);

} // namespace scanloupe
