// Decodes LAZ chunks on the device: positions with one warp per chunk, then the other layers with one warp
// per layer. Of ten schedules that were compared, this was the fastest for positions, since the lanes of the
// warp share the search in a model (H200, 2,000 chunks of 50,000 points, 2026-11-24: 410 million points per
// second; 117 million with one thread per chunk).
#include "kernels/core/cuda_check.h"
#include "kernels/core/device.h"
#include "kernels/laz/cuda_lanes.cuh"
#include "kernels/laz/decode_chunks.h"
#include "kernels/laz/records.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace scanloupe::cuda {

namespace {

using namespace laz;
using Warp = LaneGroup<32>;

/// Maximum number of warps per multiprocessor, with one warp per block: each then has 16 KB of first-level
/// cache.
constexpr std::size_t kWarpsAMultiprocessor = 16;

struct Job {
    const LayeredChunk* chunks;  // [count] chunks
    const ByteLayerPlace* bytes; // [count, shape.extraBytes] layers of the extra bytes
    const std::uint32_t* words;  // words of all layers
    std::uint32_t* states;       // [count, stateWords] models of the chunks
    std::uint32_t stateWords;    // number of words of state per chunk
    std::byte* records;          // [points, shape.size()] output
    RecordShape shape;
    std::uint8_t* damaged;         // [count] output, see DecodedChunks
    const std::uint32_t* stopFlag; // in pinned host memory; other than 0: stop

    __device__ ChunkRecords recordsOf(const LayeredChunk& chunk) const {
        return {records + chunk.firstPoint * shape.size(), shape, stopFlag};
    }
    __device__ std::uint32_t* stateOf(std::uint32_t chunk) const {
        return states + std::uint64_t{chunk} * stateWords;
    }
};

__global__ void __launch_bounds__(32) decodePositionsOfChunks(Job job) {
    const Warp lanes;
    const LayeredChunk& chunk = job.chunks[blockIdx.x];
    if (!decodePositions(lanes, chunk, job.words, job.stateOf(blockIdx.x), job.recordsOf(chunk)))
        lanes.once([&] { job.damaged[blockIdx.x] = 1; });
}

/// Decodes the layers of extra bytes, then of colours, with one block per layer of a chunk.
__global__ void __launch_bounds__(32) decodeOtherLayers(Job job) {
    const Warp lanes;
    const std::uint32_t layers = job.shape.otherLayers();
    const std::uint32_t c = blockIdx.x / layers, layer = blockIdx.x % layers;
    const LayeredChunk& chunk = job.chunks[c];
    std::uint32_t* const state = job.stateOf(c) + layer * kByteStateWords; // the colours are the last layer
    const ChunkRecords out = job.recordsOf(chunk);
    const bool good =
        layer < job.shape.extraBytes
            ? decodeByteLayer(lanes, chunk, job.bytes[std::uint64_t{c} * job.shape.extraBytes + layer], layer,
                              job.words, state, out)
            : decodeColourLayer(lanes, chunk, job.words, state, out);
    if (!good)
        lanes.once([&] { job.damaged[c] = 1; });
}

std::uint32_t stateWordsOf(const RecordShape& shape) {
    return std::max(kPositionStateWords,
                    shape.extraBytes * kByteStateWords + (shape.hasColour ? kColourStateWords : 0));
}

/// Waits for the stream. If `stop` is requested, sets the flag that ends its kernels.
void waitOrStop(cudaStream_t queue, const std::stop_token& stop, volatile std::uint32_t& flag) {
    cudaError_t status = cudaStreamQuery(queue);
    while (status == cudaErrorNotReady) {
        if (stop.stop_requested())
            flag = 1;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        status = cudaStreamQuery(queue);
    }
    check(status, "decodeLazChunks");
    if (stop.stop_requested())
        throw Cancelled();
}

template <class Kernel>
void launchWarps(Kernel* kernel, std::size_t warps, const Job& job, cudaStream_t queue) {
    // Models are kept in the L1 cache, so shared memory gets the minimum.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxL1),
          "cudaFuncSetAttribute");
    kernel<<<static_cast<unsigned>(warps), 32, 0, queue>>>(job);
    check(cudaGetLastError(), "decodeLazChunks");
}

} // namespace

std::size_t lazChunksAtOnce(const RecordShape& shape, std::uint64_t pointsAChunk, std::uint64_t bytesAChunk) {
    int device = 0, multiprocessors = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    const std::uint64_t each =
        stateWordsOf(shape) * sizeof(std::uint32_t) + pointsAChunk * shape.size() + bytesAChunk;
    // uses half of the free memory; the other half is a reserve for other allocations
    const std::uint64_t room = freeDeviceBytes() / 2 / each;
    return std::max<std::size_t>(
        1, std::min<std::uint64_t>(room, std::size_t(multiprocessors) * kWarpsAMultiprocessor));
}

DecodedChunks decodeLazChunks(const LayeredChunks& of, const std::stop_token& stop, StreamView stream) {
    const cudaStream_t queue = ownStream(stream);
    DecodedChunks decoded;
    const std::size_t count = of.chunks.size();
    if (count == 0)
        return decoded;
    std::uint64_t points = 0;
    for (const LayeredChunk& chunk : of.chunks)
        points = std::max(points, chunk.firstPoint + chunk.count);
    const auto chunks = hostCopy(of.chunks).copyTo(MemorySpace::device, stream);
    const auto bytes = hostCopy(of.bytes).copyTo(MemorySpace::device, stream);
    decoded.records = Buffer<std::byte>::in(MemorySpace::device,
                                            static_cast<std::size_t>(points) * of.shape.size(), stream);
    const std::uint32_t stateWords = stateWordsOf(of.shape);
    auto states = Buffer<std::uint32_t>::in(MemorySpace::device, count * stateWords, stream);
    auto damaged = Buffer<std::uint8_t>::in(MemorySpace::device, count, stream);
    auto stopFlag = Buffer<std::uint32_t>::in(MemorySpace::pinned, 1, stream);
    *stopFlag.data() = 0;
    const Job job{chunks.data(),          bytes.data(), of.words,       states.data(),  stateWords,
                  decoded.records.data(), of.shape,     damaged.data(), stopFlag.data()};
    check(cudaMemsetAsync(damaged.data(), 0, damaged.bytes(), queue), "cudaMemsetAsync");
    check(cudaMemsetAsync(states.data(), 0, states.bytes(), queue), "cudaMemsetAsync");
    launchWarps(decodePositionsOfChunks, count, job, queue);
    if (of.shape.otherLayers() > 0) {
        check(cudaMemsetAsync(states.data(), 0, states.bytes(), queue), "cudaMemsetAsync");
        launchWarps(decodeOtherLayers, count * of.shape.otherLayers(), job, queue);
    }
    waitOrStop(queue, stop, *stopFlag.data());
    const auto flags = damaged.copyTo(MemorySpace::host, stream);
    decoded.damaged.assign(flags.data(), flags.data() + flags.size());
    return decoded;
}

} // namespace scanloupe::cuda
