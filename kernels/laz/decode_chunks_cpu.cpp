// Decodes LAZ chunks on the host, with one thread per chunk.
#include "kernels/core/parallel.h"
#include "kernels/laz/decode_chunks.h"
#include "kernels/laz/records.h"

namespace scanloupe::cpu {

namespace {

using namespace laz;

/// Decodes a chunk. @param state memory that is reused for all chunks, with arbitrary content @returns false
/// if the chunk is damaged
bool decodeChunk(const LayeredChunks& of, std::size_t c, ChunkRecords out,
                 std::vector<std::uint32_t>& state) {
    const LayeredChunk& chunk = of.chunks[c];
    const OneLane lane;
    const auto clear = [&](std::uint32_t words) {
        state.assign(words, 0);
        return state.data();
    };
    bool good = decodePositions(lane, chunk, of.words, clear(kPositionStateWords), out);
    for (std::uint32_t b = 0; good && b < of.shape.extraBytes; ++b)
        good = decodeByteLayer(lane, chunk, of.bytes[c * of.shape.extraBytes + b], b, of.words,
                               clear(kByteStateWords), out);
    if (good && of.shape.hasColour)
        good = decodeColourLayer(lane, chunk, of.words, clear(kColourStateWords), out);
    return good;
}

} // namespace

DecodedChunks decodeLazChunks(const LayeredChunks& of, const std::stop_token& stop) {
    DecodedChunks decoded;
    std::uint64_t points = 0;
    for (const LayeredChunk& chunk : of.chunks)
        points = std::max(points, chunk.firstPoint + chunk.count);
    decoded.records = Buffer<std::byte>::host(static_cast<std::size_t>(points) * of.shape.size());
    decoded.damaged.resize(of.chunks.size());
    parallelChunks(of.chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
        thread_local std::vector<std::uint32_t> state;
        std::byte* const records = decoded.records.data() + of.chunks[c].firstPoint * of.shape.size();
        decoded.damaged[c] = decodeChunk(of, c, {records, of.shape, nullptr}, state) ? 0 : 1;
    });
    return decoded;
}

} // namespace scanloupe::cpu
