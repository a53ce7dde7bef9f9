#pragma once
// Defines the kernels of CudaQueue.
#include "kernels/core/cuda_check.h"
#include "kernels/core/queue/queue.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace scanloupe {

namespace cuda {

template <class Body>
__global__ void eachItem(std::size_t count, Body body) {
    const std::size_t i = globalIndex();
    if (i < count)
        body(i);
}

/// Items that take long need many registers, so few threads.
inline constexpr unsigned kLongItemBlock = 64;

template <class Body>
__global__ void __launch_bounds__(kLongItemBlock)
    eachLongItem(std::size_t first, std::size_t count, Body body) {
    const std::size_t i = globalIndex();
    if (i < count)
        body(first + i);
}

/// A warp makes a word; warps are complete, since blocks have 256 threads.
template <class IsIn>
__global__ void makeBits(std::size_t count, std::uint32_t* words, IsIn isIn) {
    const std::size_t i = globalIndex();
    const std::uint32_t word = __ballot_sync(0xffffffffu, i < count && isIn(i));
    if (i < count && threadIdx.x % 32 == 0)
        words[i / 32] = word;
}

/// As addValues, for the largest of floats that are not negative, which have the order of their bits.
template <class ValueOf>
__global__ void findLargest(std::size_t count, ValueOf valueOf, unsigned int* bits) {
    float own = 0;
    for (std::size_t i = globalIndex(); i < count; i += std::size_t{gridDim.x} * blockDim.x) {
        const float value = valueOf(i);
        own = own < value ? value : own;
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const float other = __shfl_xor_sync(0xffffffffu, own, lanes);
        own = own < other ? other : own;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(bits, __float_as_uint(own));
}

/// Each block counts in shared memory, and adds its counts to the totals. @param totals [slots] 0 before
template <class SlotOf>
__global__ void addCountsOfSlots(std::size_t count, std::uint32_t slots, SlotOf slotOf,
                                 unsigned long long* totals) {
    constexpr std::uint32_t none = 0xffffffffu;
    extern __shared__ std::uint32_t counts[]; // [slots]
    for (std::uint32_t slot = threadIdx.x; slot < slots; slot += blockDim.x)
        counts[slot] = 0;
    __syncthreads();
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    // all threads of a block take the same number of steps, since the warp votes below need all lanes
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x; first < count;
         first += step) {
        const std::size_t i = first + threadIdx.x;
        const std::uint32_t slot = i < count ? slotOf(i) : none;
        // neighbours in memory often share a slot: 32 atomic additions to one counter would serialize
        int isShared = 0;
        __match_all_sync(0xffffffffu, slot, &isShared);
        if (slot == none)
            continue;
        if (!isShared)
            atomicAdd(&counts[slot], 1u);
        else if (threadIdx.x % 32 == 0)
            atomicAdd(&counts[slot], 32u);
    }
    __syncthreads();
    for (std::uint32_t slot = threadIdx.x; slot < slots; slot += blockDim.x)
        if (counts[slot] > 0)
            atomicAdd(&totals[slot], static_cast<unsigned long long>(counts[slot]));
}

/// Threads of kernels that take many values each: enough for any current device.
inline constexpr std::size_t kMaxThreads = std::size_t{1} << 18;

/// The type that atomic functions take for an unsigned integer.
template <class T>
using AtomicWord = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;

/// Threads add many values before a warp adds theirs to the total. @param total [words of T], 0 before
template <class T, class ValueOf>
__global__ void addValues(std::size_t count, ValueOf valueOf, unsigned long long* total) {
    constexpr std::size_t words = sizeof(T) / sizeof *total;
    T own{};
    for (std::size_t i = globalIndex(); i < count; i += std::size_t{gridDim.x} * blockDim.x)
        own = own + valueOf(i);
    unsigned long long parts[words];
    memcpy(parts, &own, sizeof own);
    for (std::size_t w = 0; w < words; ++w) {
        for (int lanes = 16; lanes > 0; lanes /= 2)
            parts[w] += __shfl_xor_sync(0xffffffffu, parts[w], lanes);
        if (threadIdx.x % 32 == 0 && parts[w] > 0)
            atomicAdd(total + w, parts[w]);
    }
}

} // namespace cuda

template <class Body>
void CudaQueue::forEach(std::size_t count, Body body) {
    cuda::launch("eachItem", count, m_stream, cuda::eachItem<Body>, count, body);
}

template <class Body>
void CudaQueue::forEachLong(std::size_t count, LongItems limits, Body body) {
    for (std::size_t first = 0; first < count; first += limits.launch) {
        if (first > 0)
            m_stream.synchronize(); // otherwise a stop would wait for all launches
        throwIfStopped(*this);
        const std::size_t items = limits.launch < count - first ? limits.launch : count - first;
        const auto blocks = static_cast<unsigned>((items + cuda::kLongItemBlock - 1) / cuda::kLongItemBlock);
        cuda::eachLongItem<<<blocks, cuda::kLongItemBlock, 0, cuda::ownStream(m_stream)>>>(first, items,
                                                                                           body);
        cuda::check(cudaGetLastError(), "eachLongItem");
    }
}

template <class Body>
void CudaQueue::forEachBit(const std::uint32_t* words, std::size_t count, Body body) {
    forEach(count, [=] HD(std::size_t i) {
        if (words[i / 32] >> (i % 32) & 1u)
            body(i);
    });
}

template <class Start, class Body>
void CudaQueue::forEachWalk(std::size_t count, Start start, Body body) {
    forEach(count, [=] HD(std::size_t i) {
        auto walk = start(i);
        body(walk, i);
    });
}

template <class IsIn>
void CudaQueue::writeBits(std::size_t count, std::uint32_t* words, IsIn isIn, std::size_t) {
    cuda::launch("makeBits", count, m_stream, cuda::makeBits<IsIn>, count, words, isIn);
}

template <class T, class ValueOf>
T CudaQueue::sum(std::size_t count, ValueOf valueOf) {
    auto total = bufferOn<T>(*this, 1);
    fillBytes(total.data(), total.bytes(), 0);
    cuda::launch("addValues", std::min(count, cuda::kMaxThreads), m_stream, cuda::addValues<T, ValueOf>,
                 count, valueOf, reinterpret_cast<unsigned long long*>(total.data()));
    return readOne(*this, total.data());
}

template <class SlotOf>
std::vector<std::uint64_t> CudaQueue::countSlots(std::size_t count, std::size_t slots, SlotOf slotOf) {
    constexpr std::size_t maxBlocks = 2048; // enough for any current device; each adds its counts once
    auto totals = bufferOn<unsigned long long>(*this, slots);
    fillBytes(totals.data(), totals.bytes(), 0);
    const std::size_t blocks = std::min(maxBlocks, (count + cuda::kBlockSize - 1) / cuda::kBlockSize);
    if (blocks > 0) {
        cuda::addCountsOfSlots<<<static_cast<unsigned>(blocks), cuda::kBlockSize,
                                 slots * sizeof(std::uint32_t), cuda::ownStream(m_stream)>>>(
            count, static_cast<std::uint32_t>(slots), slotOf, totals.data());
        cuda::check(cudaGetLastError(), "addCountsOfSlots");
    }
    const auto here = totals.copyTo(MemorySpace::host, m_stream);
    return {here.span().begin(), here.span().end()};
}

template <class ValueOf>
float CudaQueue::largest(std::size_t count, ValueOf valueOf) {
    auto bits = bufferOn<unsigned int>(*this, 1);
    fillBytes(bits.data(), bits.bytes(), 0);
    cuda::launch("findLargest", std::min(count, cuda::kMaxThreads), m_stream, cuda::findLargest<ValueOf>,
                 count, valueOf, bits.data());
    return std::bit_cast<float>(readOne(*this, bits.data()));
}

inline void CudaQueue::fillBytes(void* memory, std::size_t bytes, int byte) {
    if (bytes > 0)
        cuda::check(cudaMemsetAsync(memory, byte, bytes, cuda::ownStream(m_stream)), "cudaMemsetAsync");
}

template <class T>
HD T CudaQueue::add([[maybe_unused]] T* word, T value) {
    using Word = cuda::AtomicWord<T>;
    NV_IF_TARGET(NV_IS_DEVICE, (return T(atomicAdd(reinterpret_cast<Word*>(word), Word(value)));))
    return value;
}

template <class T>
HD T CudaQueue::bitOr([[maybe_unused]] T* word, T bits) {
    using Word = cuda::AtomicWord<T>;
    NV_IF_TARGET(NV_IS_DEVICE, (return T(atomicOr(reinterpret_cast<Word*>(word), Word(bits)));))
    return bits;
}

template <class T>
HD T CudaQueue::min([[maybe_unused]] T* word, T value) {
    using Word = cuda::AtomicWord<T>;
    NV_IF_TARGET(NV_IS_DEVICE, (return T(atomicMin(reinterpret_cast<Word*>(word), Word(value)));))
    return value;
}

template <class T>
HD void CudaQueue::set(T* word, T value) {
    *word = value;
}

} // namespace scanloupe
