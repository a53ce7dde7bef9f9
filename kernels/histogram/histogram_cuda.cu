// Counts values per bin on the device: each block counts in shared memory, then adds its counts to the
// totals.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"
#include "kernels/histogram/histogram.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

// enough blocks for any current device; more would only add more sums to the totals
constexpr std::size_t kMaxBlocks = 2048;
constexpr std::uint32_t kNoSlot = 0xffffffffu;

template <class T>
__global__ void countValues(HistogramColumn column, HistogramBins bins, std::size_t every,
                            std::size_t sampled, unsigned long long* totals) {
    extern __shared__ std::uint32_t counts[]; // counts of all slots
    for (std::uint32_t slot = threadIdx.x; slot < bins.slotCount(); slot += blockDim.x)
        counts[slot] = 0;
    __syncthreads();
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    // all threads of a block run the same number of iterations, since the warp votes below need all lanes
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x; first < sampled;
         first += step) {
        const std::size_t i = first + threadIdx.x;
        const std::uint32_t slot = i < sampled ? bins.slotOf(histogramValue<T>(column, i * every)) : kNoSlot;
        // adjacent values often share a bin: 32 atomic additions to one counter would be serialized
        int isShared = 0;
        __match_all_sync(0xffffffffu, slot, &isShared);
        if (slot == kNoSlot)
            continue;
        if (!isShared)
            atomicAdd(&counts[slot], 1u);
        else if (threadIdx.x % 32 == 0)
            atomicAdd(&counts[slot], 32u);
    }
    __syncthreads();
    for (std::uint32_t slot = threadIdx.x; slot < bins.slotCount(); slot += blockDim.x)
        if (counts[slot] > 0)
            atomicAdd(&totals[slot], static_cast<unsigned long long>(counts[slot]));
}

template <class T>
void launchCount(const HistogramColumn& column, const HistogramBins& bins, std::size_t every,
                 unsigned long long* totals, StreamView stream) {
    const std::size_t sampled = (column.count + every - 1) / every;
    const std::size_t blocks = std::min(kMaxBlocks, (sampled + kBlockSize - 1) / kBlockSize);
    if (blocks == 0)
        return;
    countValues<T><<<static_cast<unsigned>(blocks), kBlockSize, bins.slotCount() * sizeof(std::uint32_t),
                     ownStream(stream)>>>(column, bins, every, sampled, totals);
    check(cudaGetLastError(), "countValues");
}

} // namespace

Histogram histogram(const HistogramColumn& column, const HistogramParams& params, StreamView stream) {
    const HistogramBins bins = detail::checkedBins(params);
    auto totals = Buffer<unsigned long long>::in(MemorySpace::device, bins.slotCount(), stream);
    check(cudaMemsetAsync(totals.data(), 0, totals.bytes(), ownStream(stream)), "cudaMemsetAsync");
    visitScalar(column.type, [&]<class T>(std::type_identity<T>) {
        launchCount<T>(column, bins, params.every, totals.data(), stream);
    });
    const auto slotCounts = totals.copyTo(MemorySpace::host, stream);
    return detail::histogramOf(bins, column.count, {slotCounts.span().begin(), slotCounts.span().end()});
}

} // namespace scanloupe::cuda
