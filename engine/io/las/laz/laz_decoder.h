#pragma once
// Declares the decompression of LAZ chunks with LASzip.
#include "engine/io/las/laz/laz_chunks.h"
#include "engine/io/las/laz/laz_layers.h"

#include <functional>

namespace scanloupe {

/// Receives `count` point records in the LAS layout of the same point format. `first` is the index of the
/// first record's point in the chunk.
using LasRecordSink = std::function<void(const std::byte* records, std::size_t first, std::size_t count)>;

/// Decompresses the points of `chunk` and passes them to `sink` in pieces. Thread-safe. @param layers result
/// of lazLayers() for the required fields of a layered chunk; other fields are undefined @returns the number
/// of points that could be decompressed
/// @throws EngineError if the file can't be read; Cancelled
std::uint64_t decompressLazChunk(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                 const LazChunk& chunk, LazLayers layers, const LasRecordSink& sink,
                                 const std::stop_token& stop);

} // namespace scanloupe
