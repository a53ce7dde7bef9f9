#pragma once
// Declares the slices of LAS and LAZ files: shares of their points that are read one after the other where
// all of them don't fit into memory.
#include "engine/io/common/read_options.h"
#include "engine/io/las/las_header.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct LasSlice {
    std::uint64_t points = 0;   ///< that the file holds, as far as it says
    std::uint64_t missing = 0;  ///< of the last slice: points that the header claims, and no slice has
    Bounds bounds;              ///< file's frame, with slack
    std::uint64_t firstRow = 0; ///< of uncompressed records
};

/// The box that the header gives, with the slack that writers round it by.
Bounds boxOf(const LasHeader& header);

/// Slices of up to `most` points each, or of one chunk: each point is in one of them. Those of a COPC file
/// lie apart, but for the first ones, which have its coarse levels; those of other files follow each other in
/// the file, and each may have points from all over its box.
/// @throws EngineError when the file can't be read; Cancelled
std::vector<LasSlice> lasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop);

/// The same of compressed files, but for what is missing; by their decoder.
std::vector<LasSlice> compressedLasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                          const std::stop_token& stop);
/// One of lasSlices(). @throws as lasSlices; EngineError when the file has changed since, so that there are
/// fewer
LasSlice lasSlice(const InputFile& file, const LasHeader& header, const FileSlice& wanted,
                  const std::stop_token& stop);

} // namespace scanloupe
