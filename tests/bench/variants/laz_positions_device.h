#pragma once
// Declares the trial of decoding positions of LAZ on the device, with several ways to spread chunks over
// threads.
#include "kernels/core/stream.h"
#include "kernels/laz/positions.h"

#include <span>

namespace scanloupe::cuda {

/// A schedule of chunks on the threads of the device.
struct LazSchedule {
    const char* name;
    std::uint32_t lanes;       ///< number of lanes that decode a stream together
    std::uint32_t chunksAWarp; ///< at most 32 / lanes
    bool layersApart;          ///< x and y by one warp, z by another one of the block that follows it
};

/// All schedules for comparison.
std::span<const LazSchedule> lazSchedules();

/// Words of device memory in which `chunks` chunks are decoded at once.
constexpr std::uint64_t lazStateWords(std::uint64_t chunks) {
    return chunks * laz::kPositionStateWords;
}

/// Queues the decoding of `count` chunks. All pointers are to device memory. Asynchronous.
/// @param words the layers of all chunks
/// @param states [lazStateWords(count)], which is overwritten
/// @param xyz [points of the file, 3], into which go the rows of these chunks
/// @param damaged [count], 1 for chunks that can't be decoded to their ends
/// @throws KernelError
void decodeLazPositions(const LazSchedule& schedule, const laz::LayeredChunk* chunks, std::uint32_t count,
                        const std::uint32_t* words, std::uint32_t* states, std::int32_t* xyz,
                        std::uint8_t* damaged, StreamView stream);

} // namespace scanloupe::cuda
