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
    std::span<const LayeredChunk> chunks;  ///< [C] chunks, in host memory
    std::span<const ByteLayerPlace> bytes; ///< [C, shape.extraBytes] layers of the extra bytes, in host
                                           ///< memory
    const std::uint32_t* words = nullptr;  ///< words of all layers, in the memory of the decoding backend
    RecordShape shape;
};

struct DecodedChunks {
    Buffer<std::byte> records; ///< [points, shape.size()] in the memory of the decoding backend
    /// [C] 1 for a chunk that cannot be decoded completely, whose records are arbitrary; otherwise 0
    std::vector<std::uint8_t> damaged;
};

} // namespace laz

namespace cpu {
/// Decodes chunks on all cores. Records are equal to those of LASzip, except for damaged chunks.
/// @throws KernelError; Cancelled
laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Returns the number of chunks to decode at a time: as many as the device runs concurrently, limited by its
/// memory; further chunks would only wait.
/// @param pointsAChunk number of records of a chunk @param bytesAChunk size of its layers
std::size_t lazChunksAtOnce(const laz::RecordShape& shape, std::uint64_t pointsAChunk,
                            std::uint64_t bytesAChunk);

/// Same as cpu::decodeLazChunks. Synchronizes with `stream`.
/// @throws DeviceMemoryShort, KernelError; Cancelled, within milliseconds
laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const std::stop_token& stop,
                                   StreamView stream);
} // namespace cuda

} // namespace scanloupe
