#pragma once
// Declares the slices of LAS and LAZ files: parts that are read one after the other where the whole file
// doesn't fit into memory.
#include "engine/cloud/bounds.h"
#include "engine/io/las/las_header.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct FileSlice;

struct LasSlice {
    std::uint64_t points = 0;   ///< points in the file, as far as its header says
    std::uint64_t missing = 0;  ///< points claimed by the header but in no slice; in the last slice only
    Bounds bounds;              ///< file's frame, with slack
    std::uint64_t firstRow = 0; ///< first row of uncompressed records
};

/// The box in the header, enlarged by the rounding of writers.
Bounds boxOf(const LasHeader& header);

/// Slices of up to `most` points each, or of one chunk: each point is in one of them. Those of a COPC file
/// are disjoint in space, except for the first ones, which have its coarse levels; those of other files are
/// consecutive in the file, and each may have points from all over its box.
/// @throws EngineError when the file can't be read; Cancelled
std::vector<LasSlice> lasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop);

/// As lasSlices(), for compressed files and without `missing`; by their decoder.
std::vector<LasSlice> compressedLasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                          const std::stop_token& stop);
/// One of lasSlices(). @throws as lasSlices; EngineError when the file has changed since, so that there are
/// fewer
LasSlice lasSlice(const InputFile& file, const LasHeader& header, const FileSlice& wanted,
                  const std::stop_token& stop);

} // namespace scanloupe
