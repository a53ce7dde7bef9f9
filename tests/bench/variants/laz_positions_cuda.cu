// Decodes the positions of LAZ chunks on the device. Chunks are independent, and within one everything is
// serial: what can be gained is the number of chunks at a time, and what lanes of a warp share of one symbol.
#include "kernels/core/cuda_check.h"
#include "kernels/laz/cuda_lanes.cuh"
#include "tests/bench/variants/laz_positions_device.h"

#include <algorithm>
#include <array>

namespace scanloupe::cuda {

namespace {

using namespace laz;

/// Points that the warp of x and y is ahead of that of z.
constexpr std::uint32_t kBatch = 64;

struct Job {
    const LayeredChunk* chunks;
    std::uint32_t count;
    const std::uint32_t* words;
    std::uint32_t* states;
    std::int32_t* xyz;
    std::uint8_t* damaged;

    __device__ std::uint32_t* xyState(std::uint32_t chunk) const {
        return states + std::uint64_t{chunk} * kPositionStateWords;
    }
    __device__ std::int32_t* positionsOf(const LayeredChunk& chunk) const {
        return xyz + 3 * chunk.firstPoint;
    }
    __device__ std::uint32_t* zState(std::uint32_t chunk) const {
        return xyState(chunk) + kChannels * XyState::kWords;
    }
};

/// Takes positions as x, y, z without a gap.
struct PositionsOut {
    std::int32_t* xyz; // [N, 3]

    __device__ bool isStopped() const { return false; }
    __device__ void put(std::uint32_t i, std::int32_t x, std::int32_t y, std::int32_t z,
                        std::uint32_t) const {
        std::int32_t* const out = xyz + 3 * std::uint64_t{i};
        out[0] = x;
        out[1] = y;
        out[2] = z;
    }
};

template <std::uint32_t kLanes>
struct LanesOf {
    using Type = LaneGroup<kLanes>;
};
template <>
struct LanesOf<1> {
    using Type = OneLane;
};

/// The place of this thread in a block whose warps decode `kChunks` chunks at a time.
template <std::uint32_t kLanes, std::uint32_t kChunks>
struct Slot {
    static constexpr std::uint32_t kThreads = 32 / kChunks; ///< threads of a warp for each chunk
    static_assert(kLanes <= kThreads);
    std::uint32_t ofWarp = threadIdx.x % 32 / kThreads;
    std::uint32_t chunk = blockIdx.x * kChunks + ofWarp;
    bool isIdle = threadIdx.x % kThreads >= kLanes; ///< one of the surplus lanes
};

/// A warp a block, which decodes both layers of its chunks.
template <std::uint32_t kLanes, std::uint32_t kChunks>
__global__ void __launch_bounds__(32) decodeTogether(Job job) {
    const Slot<kLanes, kChunks> slot;
    if (slot.isIdle || slot.chunk >= job.count)
        return;
    const typename LanesOf<kLanes>::Type lanes;
    const LayeredChunk& chunk = job.chunks[slot.chunk];
    const bool good = decodePositions(lanes, chunk, job.words, job.xyState(slot.chunk),
                                      PositionsOut{job.positionsOf(chunk)});
    if (!good)
        lanes.once([&] { job.damaged[slot.chunk] = 1; });
}

/// Waits for the block's threads. Unlike __syncthreads(), lanes of a warp may arrive one after the other, and
/// from different places.
__device__ void waitForBlock() {
    asm volatile("barrier.sync 0;" ::: "memory");
}

/// Two warps a block: the first decodes x and y, the second z of the batch of points before. 16 blocks of a
/// chunk each fit a multiprocessor, so that the 2,000 chunks of 100 M points run at once on 132 of them.
template <std::uint32_t kLanes, std::uint32_t kChunks>
__global__ void __launch_bounds__(64, kChunks == 1 ? 16 : 8) decodeApart(Job job) {
    __shared__ std::uint16_t contexts[2][kChunks][kBatch];
    const Slot<kLanes, kChunks> slot;
    std::uint32_t most = 0; // points of a chunk of this block
    for (std::uint32_t i = blockIdx.x * kChunks; i < (blockIdx.x + 1) * kChunks && i < job.count; ++i)
        most = max(most, job.chunks[i].count);
    const std::uint32_t batches = (most + kBatch - 1) / kBatch;
    LayeredChunk chunk;
    if (!slot.isIdle && slot.chunk < job.count)
        chunk = job.chunks[slot.chunk];
    const typename LanesOf<kLanes>::Type lanes;
    std::int32_t* const out = job.positionsOf(chunk);
    bool isDamaged = false;
    if (chunk.count == 0) {
        for (std::uint32_t batch = 0; batch <= batches; ++batch)
            waitForBlock();
    } else if (threadIdx.x < 32) {
        XyLayer xy(lanes, chunk, job.words, job.xyState(slot.chunk));
        for (std::uint32_t batch = 0; batch <= batches; ++batch) {
            const std::uint32_t begin = batch * kBatch, end = min(begin + kBatch, chunk.count);
            for (std::uint32_t i = begin; i < end; ++i) {
                const std::uint32_t context = i > 0 ? xy.next().packed() : 0;
                lanes.once([&] {
                    contexts[batch % 2][slot.ofWarp][i - begin] = static_cast<std::uint16_t>(context);
                    out[3 * std::uint64_t{i}] = xy.x();
                    out[3 * std::uint64_t{i} + 1] = xy.y();
                });
            }
            waitForBlock();
        }
        isDamaged = xy.isDamaged();
    } else {
        ZLayer z(lanes, chunk, job.words, job.zState(slot.chunk));
        waitForBlock();
        for (std::uint32_t batch = 0; batch < batches; ++batch) {
            const std::uint32_t begin = batch * kBatch, end = min(begin + kBatch, chunk.count);
            for (std::uint32_t i = begin; i < end; ++i) {
                if (i > 0)
                    z.next(ZContext::unpacked(contexts[batch % 2][slot.ofWarp][i - begin]));
                lanes.once([&] { out[3 * std::uint64_t{i} + 2] = z.z(); });
            }
            waitForBlock();
        }
        isDamaged = z.isDamaged();
    }
    if (chunk.count > 1 && isDamaged)
        lanes.once([&] { job.damaged[slot.chunk] = 1; });
}

/// A schedule and its kernel.
struct Kernel {
    LazSchedule schedule;
    void (*launch)(Job);
};
template <std::uint32_t kLanes, std::uint32_t kChunks>
constexpr Kernel together(const char* name) {
    return {{name, kLanes, kChunks, false}, decodeTogether<kLanes, kChunks>};
}
template <std::uint32_t kLanes, std::uint32_t kChunks>
constexpr Kernel apart(const char* name) {
    return {{name, kLanes, kChunks, true}, decodeApart<kLanes, kChunks>};
}

const std::array kKernels{
    together<1, 32>("lane-a-chunk"),     apart<1, 32>("lane-a-layer"),
    together<1, 1>("one-lane-of-warp"),  apart<1, 1>("one-lane-of-2-warps"),
    together<8, 4>("8-lanes-a-chunk"),   apart<8, 4>("8-lanes-a-layer"),
    together<16, 2>("16-lanes-a-chunk"), apart<16, 2>("16-lanes-a-layer"),
    together<32, 1>("warp-a-chunk"),     apart<32, 1>("warp-a-layer"),
};

} // namespace

std::span<const LazSchedule> lazSchedules() {
    static const auto schedules = [] {
        std::array<LazSchedule, kKernels.size()> all{};
        std::transform(kKernels.begin(), kKernels.end(), all.begin(),
                       [](const Kernel& kernel) { return kernel.schedule; });
        return all;
    }();
    return schedules;
}

void decodeLazPositions(const LazSchedule& schedule, const LayeredChunk* chunks, std::uint32_t count,
                        const std::uint32_t* words, std::uint32_t* states, std::int32_t* xyz,
                        std::uint8_t* damaged, StreamView stream) {
    if (count == 0)
        return;
    const auto kernel = std::find_if(kKernels.begin(), kKernels.end(), [&](const Kernel& one) {
        return one.schedule.lanes == schedule.lanes && one.schedule.chunksAWarp == schedule.chunksAWarp &&
               one.schedule.layersApart == schedule.layersApart;
    });
    if (kernel == kKernels.end())
        fail(cudaErrorInvalidValue, "decodeLazPositions");
    const cudaStream_t queue = ownStream(stream);
    check(cudaMemsetAsync(states, 0, lazStateWords(count) * sizeof(std::uint32_t), queue), "cudaMemsetAsync");
    check(cudaMemsetAsync(damaged, 0, count, queue), "cudaMemsetAsync");
    // models stay in the cache: it gets what shared memory does not need
    check(cudaFuncSetAttribute(kernel->launch, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxL1),
          "cudaFuncSetAttribute");
    const Job job{chunks, count, words, states, xyz, damaged};
    const unsigned blocks = (count + schedule.chunksAWarp - 1) / schedule.chunksAWarp;
    kernel->launch<<<blocks, schedule.layersApart ? 64 : 32, 0, queue>>>(job);
    check(cudaGetLastError(), "decodeLazPositions");
}

} // namespace scanloupe::cuda
