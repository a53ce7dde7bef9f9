#pragma once
// Defines the loops of HostQueue.
#include "kernels/core/parallel.h"
#include "kernels/core/queue/queue.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

namespace scanloupe {

template <class Body>
void HostQueue::forEach(std::size_t count, Body body) {
    forEachLong(count, {std::size_t{1} << 14, count}, body);
}

template <class Body>
void HostQueue::forEachLong(std::size_t count, LongItems limits, Body body) {
    parallelFor(count, limits.chunk, m_stop, [&](std::size_t begin, std::size_t end) {
        const Body own = body; // values that the writes of the loop cannot alias
        for (std::size_t i = begin; i < end; ++i)
            own(i);
    });
}

template <class Body>
void HostQueue::forEachBit(const std::uint32_t* words, std::size_t count, Body body) {
    parallelFor((count + 31) / 32, 2048, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w)
            for (std::uint32_t word = words[w]; word != 0; word &= word - 1)
                body(w * 32 + std::size_t(std::countr_zero(word)));
    });
}

template <class Start, class Body>
void HostQueue::forEachWalk(std::size_t count, Start start, Body body) {
    parallelFor(count, std::size_t{1} << 14, m_stop, [&](std::size_t begin, std::size_t end) {
        const Body own = body;
        auto walk = start(begin);
        for (std::size_t i = begin; i < end; ++i)
            own(walk, i);
    });
}

template <class IsIn>
void HostQueue::writeBits(std::size_t count, std::uint32_t* words, IsIn isIn, std::size_t chunk) {
    parallelFor((count + 31) / 32, (chunk + 31) / 32, m_stop, [&](std::size_t begin, std::size_t end) {
        const IsIn own = isIn;
        for (std::size_t w = begin; w < end; ++w) {
            const std::size_t first = w * 32;
            const auto wordOf = [&](std::size_t items) {
                std::uint32_t word = 0;
                for (std::size_t b = 0; b < items; ++b)
                    word |= std::uint32_t(own(first + b)) << b;
                return word;
            };
            if (count - first < 32) {
                words[w] = wordOf(count - first);
                continue;
            }
            if constexpr (requires { own.word(first); })
                words[w] = own.word(first);
            else
                words[w] = wordOf(32);
        }
    });
}

template <class T, class ValueOf>
T HostQueue::sum(std::size_t count, ValueOf valueOf) {
    return parallelReduce(
        count, std::size_t{1} << 16, m_stop, T{},
        [&](std::size_t begin, std::size_t end) {
            const ValueOf own = valueOf;
            T part{};
            for (std::size_t i = begin; i < end; ++i)
                part = part + own(i);
            return part;
        },
        [](const T& a, const T& b) { return a + b; });
}

template <class SlotOf>
std::vector<std::uint64_t> HostQueue::countSlots(std::size_t count, std::size_t slots, SlotOf slotOf) {
    using Counts = std::vector<std::uint64_t>;
    return parallelReduce(
        count, std::size_t{1} << 17, m_stop, Counts(slots), // few chunks, since each has its own counts
        [&](std::size_t begin, std::size_t end) {
            const SlotOf own = slotOf;
            Counts counts(slots);
            for (std::size_t i = begin; i < end; ++i)
                ++counts[own(i)];
            return counts;
        },
        [](Counts a, const Counts& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] += b[i];
            return a;
        });
}

template <class ValueOf>
float HostQueue::largest(std::size_t count, ValueOf valueOf) {
    return parallelReduce(
        count, std::size_t{1} << 14, m_stop, 0.0f,
        [&](std::size_t begin, std::size_t end) {
            const ValueOf own = valueOf;
            float most = 0;
            for (std::size_t i = begin; i < end; ++i)
                most = std::max(most, own(i));
            return most;
        },
        [](float a, float b) { return std::max(a, b); });
}

inline void exclusiveScan(HostQueue&, std::uint64_t* values, std::size_t count) {
    exclusiveScan(std::span<std::uint64_t>(values, count));
}

inline void HostQueue::fillBytes(void* memory, std::size_t bytes, int byte) {
    auto* const to = static_cast<unsigned char*>(memory);
    parallelFor(bytes, std::size_t{1} << 20, m_stop,
                [&](std::size_t begin, std::size_t end) { std::memset(to + begin, byte, end - begin); });
}

template <class T>
T HostQueue::add(T* word, T value) {
    return std::atomic_ref(*word).fetch_add(value, std::memory_order_relaxed);
}

template <class T>
T HostQueue::bitOr(T* word, T bits) {
    return std::atomic_ref(*word).fetch_or(bits, std::memory_order_relaxed);
}

template <class T>
T HostQueue::min(T* word, T value) {
    const std::atomic_ref atomic(*word);
    T known = atomic.load(std::memory_order_relaxed);
    while (value < known && !atomic.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
    return known;
}

template <class T>
void HostQueue::set(T* word, T value) {
    std::atomic_ref(*word).store(value, std::memory_order_relaxed);
}

} // namespace scanloupe
