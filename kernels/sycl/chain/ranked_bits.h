#pragma once
// Defines bitmaps with ranks, which list distinct numbers in ascending order without sorting.
#include "kernels/sycl/chain/scan.h"

#include <bit>
#include <cstdint>

namespace scanloupe::sycl_chain {

/// A bitmap whose bits are set first, then ranked.
template <class Q>
class RankedBits {
public:
    /// Makes a bitmap with all bits 0.
    RankedBits(Q& q, std::uint64_t bits)
        : m_queue(&q), m_groups(std::size_t((bits + kGroupBits - 1) / kGroupBits)),
          m_bits(q, m_groups * kGroupWords), m_before(q, m_groups) {
        m_bits.clear();
    }

    /// Returns the words of the bitmap, for set().
    std::uint32_t* bits() const { return m_bits.data(); }
    static void set(std::uint32_t* bits, std::uint64_t at) {
        const std::uint32_t bit = 1u << at % 32;
        if ((Q::load(bits + at / 32) & bit) == 0) // a load is far cheaper than an atomic operation
            Q::bitOr(bits + at / 32, bit);
    }

    /// Returns the numbers whose bits are set, ascending. @note Synchronizes.
    DeviceArray<std::uint64_t, Q> list() const {
        const std::uint32_t* const bits = m_bits.data();
        std::uint32_t* const before = m_before.data();
        const DeviceArray<std::uint32_t, Q> total(*m_queue, 1);
        m_queue->forEach(m_groups, [=](std::size_t g) {
            int set = 0;
            for (std::size_t w = 0; w < kGroupWords; ++w)
                set += std::popcount(bits[g * kGroupWords + w]);
            before[g] = std::uint32_t(set);
        });
        exclusiveScan(*m_queue, before, m_groups, total.data());
        DeviceArray<std::uint64_t, Q> numbers(*m_queue, total.read(0));
        std::uint64_t* const out = numbers.data();
        m_queue->forEach(m_groups, [=](std::size_t g) {
            std::size_t rank = before[g];
            for (std::size_t w = g * kGroupWords; w < (g + 1) * kGroupWords; ++w)
                for (std::uint32_t rest = bits[w]; rest != 0; rest &= rest - 1)
                    out[rank++] = std::uint64_t(w) * 32 + std::uint64_t(std::countr_zero(rest));
        });
        return numbers;
    }
    /// Returns the number of set bits before each group of words, [groups]; valid after list().
    const std::uint32_t* before() const { return m_before.data(); }
    /// Returns the number of set bits below a bit.
    HD static std::uint32_t rankOf(const std::uint32_t* bits, const std::uint32_t* before, std::uint64_t at) {
        const std::size_t group = at / kGroupBits, word = at / 32 % kGroupWords;
        int rank = std::popcount(bits[at / 32] & ((1u << at % 32) - 1));
        for (std::size_t w = 0; w + 1 < kGroupWords; ++w)
            rank += w < word ? std::popcount(bits[group * kGroupWords + w]) : 0;
        return before[group] + std::uint32_t(rank);
    }

private:
    /// number of words, and of bits, that share a stored rank
    static constexpr std::size_t kGroupWords = 4, kGroupBits = 32 * kGroupWords;

    Q* m_queue;
    std::size_t m_groups;
    DeviceArray<std::uint32_t, Q> m_bits, m_before;
};

} // namespace scanloupe::sycl_chain
