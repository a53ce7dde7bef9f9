#pragma once
// Defines bitmaps with ranks: lists of distinct numbers, in order, without sorting.
#include "kernels/sycl/chain/scan.h"

#include <bit>
#include <cstdint>

namespace scanloupe::sycl_chain {

/// A bitmap that is filled, then ranked.
template <class Q>
class RankedBits {
public:
    /// All bits are 0.
    RankedBits(Q& q, std::uint64_t bits)
        : m_queue(&q), m_words(std::size_t((bits + 31) / 32)), m_bits(q, m_words), m_before(q, m_words) {
        m_bits.clear();
    }

    /// To be filled by set().
    std::uint32_t* bits() const { return m_bits.data(); }
    static void set(std::uint32_t* bits, std::uint64_t at) {
        const std::uint32_t bit = 1u << at % 32;
        if ((Q::load(bits + at / 32) & bit) == 0) // a load is far cheaper than an atomic operation
            Q::bitOr(bits + at / 32, bit);
    }

    /// The numbers whose bits are set, ascending. @note Synchronizes.
    DeviceArray<std::uint64_t, Q> list() const {
        const std::uint32_t* const bits = m_bits.data();
        std::uint32_t* const before = m_before.data();
        const DeviceArray<std::uint32_t, Q> total(*m_queue, 1);
        m_queue->forEach(m_words, [=](std::size_t w) { before[w] = std::uint32_t(std::popcount(bits[w])); });
        exclusiveScan(*m_queue, before, m_words, total.data());
        DeviceArray<std::uint64_t, Q> numbers(*m_queue, total.read(0));
        std::uint64_t* const out = numbers.data();
        m_queue->forEach(m_words, [=](std::size_t w) {
            std::size_t rank = before[w];
            for (std::uint32_t rest = bits[w]; rest != 0; rest &= rest - 1)
                out[rank++] = std::uint64_t(w) * 32 + std::uint64_t(std::countr_zero(rest));
        });
        return numbers;
    }
    /// [words] the bits before each word, after list().
    const std::uint32_t* before() const { return m_before.data(); }
    /// How many bits are set below one.
    HD static std::uint32_t rankOf(const std::uint32_t* bits, const std::uint32_t* before, std::uint64_t at) {
        return before[at / 32] + std::uint32_t(std::popcount(bits[at / 32] & ((1u << at % 32) - 1)));
    }

private:
    Q* m_queue;
    std::size_t m_words;
    DeviceArray<std::uint32_t, Q> m_bits, m_before;
};

} // namespace scanloupe::sycl_chain
