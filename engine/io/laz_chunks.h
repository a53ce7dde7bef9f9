#pragma once
// Where the chunks of a LAZ file lie.
#include "engine/io/laszip_vlr.h"

#include <span>
#include <stop_token>

namespace scanloupe {

/// Points that can be unpacked without knowing any others.
struct LazChunk {
    std::uint64_t first = 0, count = 0; ///< points
    std::uint64_t begin = 0, end = 0;   ///< bytes
};

struct LazChunks {
    std::vector<LazChunk> chunks;
    bool fromTable = false; ///< the file's own table says where they lie
    std::string warning;    ///< what was odd; or empty
};

/// The chunks that the first `header.points` points lie in, as far as they are in the file. Without a table,
/// which is at the end of a file and first to be cut off, layered chunks are found one by one, and others
/// become one long chunk. @throws EngineError when neither can be; Cancelled
LazChunks findLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                        const std::stop_token& stop);

/// Bytes and points of a layered chunk whose first bytes are `head`; no points when it is not whole within
/// `room` bytes.
struct LayeredChunkSize {
    std::uint64_t bytes = 0, points = 0;
};
LayeredChunkSize readLayeredChunkSize(const std::byte* head, std::size_t headBytes, const LasHeader& header,
                                      const LaszipVlr& vlr, std::uint64_t room);

/// Unpacks the entries of a chunk table from `packed`: for each chunk its points (where `variable`) and its
/// bytes. Empty when there are too few bytes.
struct LazChunkEntry {
    std::uint32_t points = 0, bytes = 0;
};
std::vector<LazChunkEntry> decodeLazChunkTable(std::span<const std::byte> packed, std::size_t entries,
                                               bool variable);

/// A table, with its head, of chunks that all have the same number of points but the last.
std::string encodeLazChunkTable(std::span<const LazChunkEntry> entries);

} // namespace scanloupe
