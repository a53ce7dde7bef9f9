#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. Results lie where they were
// computed.
#include "kernels/core/execution.h"
#include "kernels/laz/decode_chunks.h"

#include <algorithm>

namespace scanloupe {

/// Chunks to records, see cpu::decodeLazChunks. The words of their layers lie where they are decoded.
inline laz::DecodedChunks decodeLazChunks(const laz::LayeredChunks& of, const Execution& on) {
    return on.onDevice() ? cuda::decodeLazChunks(of, on.stop, *on.device) : cpu::decodeLazChunks(of, on.stop);
}

/// Number of chunks that are decoded at a time, see cuda::lazChunksAtOnce.
inline std::size_t lazChunksAtOnce(const laz::RecordShape& shape, std::uint64_t pointsAChunk,
                                   std::uint64_t bytesAChunk, const Execution& on) {
    constexpr std::size_t onHost = 256; // enough for many cores, with little memory
    return on.onDevice() ? cuda::lazChunksAtOnce(shape, pointsAChunk, bytesAChunk) : onHost;
}

} // namespace scanloupe
