#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. Results are in the memory of that
// backend.
#include "kernels/core/execution.h"
#include "kernels/laz/decode_chunks.h"

#include <algorithm>

namespace scanloupe {

/// Decodes chunks to records, see cpu::decodeLazChunks. The words of the layers must be in the memory of the
/// backend.
inline laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const Execution& on) {
    return on.onDevice() ? cuda::decodeLazChunks(of, on.stop, *on.device) : cpu::decodeLazChunks(of, on.stop);
}

/// Returns the number of chunks to decode at a time, see cuda::lazChunksAtOnce.
inline std::size_t lazChunksAtOnce(const laz::RecordShape& shape, std::uint64_t pointsAChunk,
                                   std::uint64_t bytesAChunk, const Execution& on) {
    constexpr std::size_t onHost = 256; // keeps many cores busy, and needs little memory
    return on.onDevice() ? cuda::lazChunksAtOnce(shape, pointsAChunk, bytesAChunk) : onHost;
}

} // namespace scanloupe
