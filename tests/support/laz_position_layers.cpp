#include "tests/support/laz_position_layers.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "kernels/core/parallel.h"

#include <cstring>
#include <fmt/format.h>

namespace scanloupe::test {

namespace {

// in a point record of formats 6 to 10 (LAS 1.4 R15, table 16)
constexpr std::size_t kReturns = 14, kFlags = 15;

std::uint64_t wordsOf(std::uint64_t bytes) {
    return (bytes + 3) / 4;
}
std::size_t headBytes(const OpenLaz& laz) {
    return laz.header.recordLength + 4 + 4 * laz.vlr.layers;
}

/// Reads a chunk's first point and the sizes of its layers.
laz::PositionsChunk readHead(const OpenLaz& laz, const LazChunk& found) {
    laz::PositionsChunk chunk;
    chunk.count = static_cast<std::uint32_t>(found.count);
    chunk.firstPoint = found.first;
    std::vector<std::byte> head(headBytes(laz));
    if (found.end - found.begin < head.size())
        return chunk;
    laz.file.read(found.begin, head);
    for (std::size_t axis = 0; axis < 3; ++axis)
        chunk.xyz[axis] = loadLittle<std::int32_t>(head.data() + 4 * axis);
    chunk.returns = std::to_integer<std::uint8_t>(head[kReturns]);
    chunk.channel = std::to_integer<std::uint8_t>(head[kFlags]) >> 4 & 3;
    const std::byte* const sizes = head.data() + laz.header.recordLength + 4;
    const LayeredChunkSize size =
        readLayeredChunkSize(head.data(), head.size(), laz.header, laz.vlr, found.end - found.begin);
    if (size.points >= found.count) {
        chunk.xyBytes = loadLittle<std::uint32_t>(sizes);
        chunk.zBytes = loadLittle<std::uint32_t>(sizes + 4);
    }
    return chunk;
}

} // namespace

OpenLaz::OpenLaz(const std::filesystem::path& path) : file(path), header(readLasHeader(file)) {
    if (!header.compressed || header.pointFormat < 6)
        throw EngineError(fmt::format("'{}' is not a LAZ file of point format 6 to 10", file.name()),
                          "Take one of LAS 1.4 that holds layers.");
    vlr = readLaszipVlr(file, header);
    found = findLazChunks(file, header, vlr, {});
}

LazPositionLayers readLazPositionLayers(const OpenLaz& laz, MemorySpace space, StreamView stream) {
    LazPositionLayers layers;
    layers.chunks.resize(laz.found.chunks.size());
    parallelFor(layers.chunks.size(), 16, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            layers.chunks[c] = readHead(laz, laz.found.chunks[c]);
    });
    std::uint64_t words = 0;
    for (laz::PositionsChunk& chunk : layers.chunks) {
        chunk.xyWord = words;
        words += wordsOf(chunk.xyBytes);
        chunk.zWord = words;
        words += wordsOf(chunk.zBytes);
        layers.points += chunk.count;
    }
    layers.words = Buffer<std::uint32_t>::in(space, static_cast<std::size_t>(words), stream);
    parallelFor(layers.chunks.size(), 16, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const laz::PositionsChunk& chunk = layers.chunks[c];
            const auto read = [&](std::uint64_t offset, std::uint64_t word, std::uint32_t bytes) {
                if (bytes == 0)
                    return;
                std::uint32_t* const to = layers.words.data() + word;
                to[wordsOf(bytes) - 1] = 0; // fills up the last word
                laz.file.read(offset, std::as_writable_bytes(std::span(to, wordsOf(bytes))).first(bytes));
            };
            const std::uint64_t begins = laz.found.chunks[c].begin + headBytes(laz);
            read(begins, chunk.xyWord, chunk.xyBytes);
            read(begins + chunk.xyBytes, chunk.zWord, chunk.zBytes);
        }
    });
    return layers;
}

} // namespace scanloupe::test
