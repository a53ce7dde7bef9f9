#pragma once
// Declares the chunks of LAZ files, and their chunk table.
#include "engine/io/las/laz/laszip_vlr.h"

#include <span>
#include <stop_token>

namespace scanloupe {

/// A run of points that is decompressed independently of others.
struct LazChunk {
    std::uint64_t first = 0, count = 0; ///< points
    std::uint64_t begin = 0, end = 0;   ///< offsets in the file
};

struct LazChunks {
    std::vector<LazChunk> chunks;
    bool fromTable = false; ///< located by the chunk table
    std::string warning;    ///< empty without one
};

/// Locates the chunks of the first `header.points` points, as far as they are in the file. A truncated file
/// has lost its chunk table, which is at the end: layered chunks are then found one by one, and chunks of a
/// fixed number of points become one long chunk. @throws EngineError when neither is possible; Cancelled
LazChunks findLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                        const std::stop_token& stop);

/// Size of a layered chunk.
struct LayeredChunkSize {
    std::uint64_t bytes = 0, points = 0;
};
/// Reads the size of a layered chunk from its header `head`; no points when it is not complete within `room`
/// bytes.
LayeredChunkSize readLayeredChunkSize(const std::byte* head, std::size_t headBytes, const LasHeader& header,
                                      const LaszipVlr& vlr, std::uint64_t room);

/// Entry of a chunk table.
struct LazChunkEntry {
    std::uint32_t points = 0, bytes = 0;
};
/// Decodes the entries of a chunk table: for each chunk its bytes and, if `variable`, its points. Empty when
/// there are too few bytes.
std::vector<LazChunkEntry> decodeLazChunkTable(std::span<const std::byte> packed, std::size_t entries,
                                               bool variable);

/// Encodes a chunk table, with its header, of chunks with the same number of points, except the last.
std::string encodeLazChunkTable(std::span<const LazChunkEntry> entries);

} // namespace scanloupe
