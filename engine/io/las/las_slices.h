#pragma once
// Declares the slices of LAS and LAZ files: parts that are read one by one if the whole file does not fit
// into memory.
#include "engine/cloud/bounds.h"
#include "engine/io/las/las_header.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct FileSlice;

struct LasSlice {
    std::uint64_t points = 0; ///< number of points, according to the header
    std::uint64_t missing =
        0;         ///< number of points of the header that are in no slice; only set in the last slice
    Bounds bounds; ///< bounds of the points in the file's frame, slightly enlarged
    std::uint64_t firstRow = 0; ///< first row of uncompressed records
};

/// Returns the bounding box in the header, enlarged by the rounding of writers.
Bounds boxOf(const LasHeader& header);

/// Divides a file into slices of at most `most` points (or of a single chunk). Each point is in exactly one
/// slice. Slices of a COPC file are spatially disjoint, except for the first ones, which have its coarse
/// levels. Slices of other files are consecutive in the file, and each may have points from anywhere in its
/// box.
/// @throws EngineError if the file can't be read; Cancelled
std::vector<LasSlice> lasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                const std::stop_token& stop);

/// Like lasSlices(), for compressed files, and without `missing`.
std::vector<LasSlice> compressedLasSlices(const InputFile& file, const LasHeader& header, std::uint64_t most,
                                          const std::stop_token& stop);
/// Returns a single slice of lasSlices(). @throws EngineError if the file can't be read, or has changed so
/// that there are fewer slices; Cancelled
LasSlice lasSlice(const InputFile& file, const LasHeader& header, const FileSlice& wanted,
                  const std::stop_token& stop);

} // namespace scanloupe
