#pragma once
// Declares the chunks of LAZ files, and their chunk table.
#include "engine/io/las/laz/laszip_vlr.h"

#include <span>
#include <stop_token>

namespace scanloupe {

/// Consecutive points that are decompressed independently of others.
struct LazChunk {
    std::uint64_t first = 0, count = 0; ///< index of the first point, and number of points
    std::uint64_t begin = 0, end = 0;   ///< offsets in the file
};

struct LazChunks {
    std::vector<LazChunk> chunks;
    bool fromTable = false; ///< whether the chunk table was used
    std::string warning;    ///< warning about the chunk table; empty if there is none
};

/// Locates the chunks of the first `header.points` points, as far as they are in the file. A truncated file
/// has no chunk table, since it is at the end. Layered chunks are then found one by one, and chunks with a
/// fixed number of points are treated as one long chunk. @throws EngineError if the chunks can't be located;
/// Cancelled
LazChunks findLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                        const std::stop_token& stop);

/// Size of a layered chunk.
struct LayeredChunkSize {
    std::uint64_t bytes = 0, points = 0;
};
/// Reads the size of a layered chunk from its header `head`. Returns 0 points if the chunk is not complete
/// within `room` bytes.
LayeredChunkSize readLayeredChunkSize(const std::byte* head, std::size_t headBytes, const LasHeader& header,
                                      const LaszipVlr& vlr, std::uint64_t room);

/// An entry of a chunk table.
struct LazChunkEntry {
    std::uint32_t points = 0, bytes = 0;
};
/// Decodes the entries of a chunk table: the number of bytes and, if `variable`, the number of points of each
/// chunk. Returns an empty list if there are too few bytes.
std::vector<LazChunkEntry> decodeLazChunkTable(std::span<const std::byte> packed, std::size_t entries,
                                               bool variable);

/// Encodes a chunk table with its header. All chunks except the last have the same number of points.
std::string encodeLazChunkTable(std::span<const LazChunkEntry> entries);

} // namespace scanloupe
