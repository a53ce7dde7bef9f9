// Locates the chunks of LAZ files with the chunk table, or with the headers of layered chunks.
#include "engine/io/las/laz/laz_chunks.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Returns the offset of the chunk table. It is stored before the first chunk, or in the last 8 bytes of the
/// file if the writer could not seek. 0 if there is none.
std::uint64_t readTableOffset(const InputFile& file, const LasHeader& header) {
    const std::uint64_t first = header.pointOffset + 8;
    const auto load = [&](std::uint64_t at) {
        std::byte bytes[8];
        file.read(at, std::span<std::byte>(bytes));
        return loadLittle<std::uint64_t>(bytes);
    };
    std::uint64_t offset = load(header.pointOffset);
    if (offset == ~std::uint64_t{0})
        offset = load(file.size() - 8);
    return offset >= first && offset < file.size() && file.size() - offset >= 8 ? offset : 0;
}

/// Reads the chunks from the file's chunk table; returns none if the table does not match the file.
std::vector<LazChunk> readChunkTable(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr) {
    const std::uint64_t offset = readTableOffset(file, header), first = header.pointOffset + 8;
    if (offset == 0)
        return {};
    std::byte head[8];
    file.read(offset, std::span<std::byte>(head));
    const std::size_t entries = loadLittle<std::uint32_t>(head + 4);
    // A chunk has at least its first point, which is uncompressed.
    if (loadLittle<std::uint32_t>(head) != 0 || entries > (offset - first) / header.recordLength)
        return {};
    // An encoded entry has less than 16 bytes.
    const std::uint64_t room = std::min<std::uint64_t>(file.size() - offset - 8, 16 * entries + 64);
    std::vector<std::byte> packed(static_cast<std::size_t>(room));
    file.read(offset + 8, packed);
    const bool variable = vlr.chunkSize == LaszipVlr::kVariable;
    std::vector<LazChunk> chunks;
    std::uint64_t at = first, point = 0;
    for (const LazChunkEntry& entry : decodeLazChunkTable(packed, entries, variable)) {
        const std::uint64_t count =
            std::min<std::uint64_t>(variable ? entry.points : vlr.chunkSize, header.points - point);
        if (entry.bytes > offset - at)
            return {};
        if (count > 0)
            chunks.push_back({point, count, at, at + entry.bytes});
        point += count;
        at += entry.bytes;
    }
    return chunks;
}

/// Finds layered chunks one by one from the layer sizes in their headers.
std::vector<LazChunk> scanLayeredChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                        const std::stop_token& stop) {
    std::vector<std::byte> head(header.recordLength + 4 + 4 * vlr.layers);
    std::vector<LazChunk> chunks;
    std::uint64_t at = header.pointOffset + 8, point = 0;
    while (point < header.points && at < file.size() && file.size() - at >= head.size()) {
        if (stop.stop_requested())
            throw Cancelled();
        file.read(at, head);
        const LayeredChunkSize size =
            readLayeredChunkSize(head.data(), head.size(), header, vlr, file.size() - at);
        if (size.points == 0 || size.points > header.points - point || size.points > vlr.chunkSize)
            break;
        chunks.push_back({point, size.points, at, at + size.bytes});
        point += size.points;
        at += size.bytes;
    }
    return chunks;
}

} // namespace

LayeredChunkSize readLayeredChunkSize(const std::byte* head, std::size_t headBytes, const LasHeader& header,
                                      const LaszipVlr& vlr, std::uint64_t room) {
    LayeredChunkSize size;
    size.bytes = header.recordLength + 4 + 4 * vlr.layers;
    if (size.bytes > headBytes)
        return {};
    for (std::size_t layer = 0; layer < vlr.layers; ++layer)
        size.bytes += loadLittle<std::uint32_t>(head + header.recordLength + 4 + 4 * layer);
    if (size.bytes > room)
        return {};
    size.points = loadLittle<std::uint32_t>(head + header.recordLength);
    return size;
}

LazChunks findLazChunks(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                        const std::stop_token& stop) {
    LazChunks found;
    const std::uint64_t size = file.size();
    if (header.points == 0 || header.pointOffset >= size || size - header.pointOffset < 8)
        return found;
    if (vlr.compressor == LaszipVlr::Compressor::pointwise) {
        found.chunks.push_back({0, header.points, header.pointOffset, size});
        return found;
    }
    found.chunks = readChunkTable(file, header, vlr);
    found.fromTable = !found.chunks.empty();
    if (found.fromTable)
        return found;
    found.warning = "The chunk table of the file is missing or damaged; the file is probably truncated.";
    if (vlr.compressor == LaszipVlr::Compressor::layered)
        found.chunks = scanLayeredChunks(file, header, vlr, stop);
    else if (vlr.chunkSize == LaszipVlr::kVariable)
        throw EngineError(fmt::format("the chunk table of '{}' is missing or damaged, and its points can't "
                                      "be decompressed without it",
                                      file.name()),
                          "The file is truncated or damaged. Copy or export it again.");
    else
        found.chunks.push_back({0, header.points, header.pointOffset + 8, size});
    return found;
}

} // namespace scanloupe
