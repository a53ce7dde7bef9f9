#pragma once
// Declares the decoding of LAZ chunks of point formats 6 to 10 into records, on host and device.
#include "kernels/core/buffer.h"
#include "kernels/laz/chunk.h"

#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

namespace laz {

/// Chunks that are decoded together.
struct LayeredChunks {
    std::span<const LayeredChunk> chunks;  ///< [C] in host memory
    std::span<const ByteLayerPlace> bytes; ///< [C, shape.extraBytes] in host memory
    const std::uint32_t* words = nullptr;  ///< words of all layers, in the memory of the decoder
    RecordShape shape;
};

struct DecodedChunks {
    Buffer<std::byte> records; ///< [points, shape.size()] where they were decoded
    /// [C] 1: the chunk cannot be decoded completely; its records are arbitrary
    std::vector<std::uint8_t> damaged;
};

} // namespace laz

namespace cpu {
/// Decodes chunks on all cores: the same records as LASzip's, except for damaged chunks.
/// @throws KernelError; Cancelled
laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// How many chunks of that shape the device decodes at a time: as many as it runs at once, since others would
/// wait, limited by its memory.
/// @param pointsAChunk, bytesAChunk records and layers of a chunk
std::size_t lazChunksAtOnce(const laz::RecordShape& shape, std::uint64_t pointsAChunk,
                            std::uint64_t bytesAChunk);

/// The same as cpu::decodeLazChunks. Returns when all are decoded.
/// @throws DeviceMemoryShort, KernelError; Cancelled, within milliseconds
laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const std::stop_token& stop,
                                   StreamView stream);
} // namespace cuda

} // namespace scanloupe
