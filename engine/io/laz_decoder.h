#pragma once
// Unpacks chunks of a LAZ file with LASzip.
#include "engine/io/laz_chunks.h"

#include <functional>

namespace scanloupe {

/// Takes `count` records as a LAS file of the same point format has them; the first is `first` of its chunk.
using LasRecordSink = std::function<void(const std::byte* records, std::size_t first, std::size_t count)>;

/// Unpacks the points of `chunk` and hands them out in pieces; gives how many it could unpack. Safe from
/// several threads. @throws EngineError when the file can't be read; Cancelled
std::uint64_t decompressLazChunk(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                 const LazChunk& chunk, const LasRecordSink& sink,
                                 const std::stop_token& stop);

} // namespace scanloupe
