#pragma once
// Defines the adaptive models of arithmetic coding (A. Said, Introduction to Arithmetic Coding, HPL-2004-76)
// that encoder and decoder of LAZ's chunk table share: LAZ specification, section 6.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace scanloupe::detail {

/// Minimum interval length; below it, the coder renormalizes by reading or writing a byte.
inline constexpr std::uint32_t kMinLength = 1u << 24;
/// Number of high bits of a difference that are coded with adaptive probabilities; lower bits are stored
/// directly.
inline constexpr int kHighBits = 8;

/// Adaptive model of an alphabet, with probabilities from the frequencies of previous symbols.
class SymbolModel {
public:
    static constexpr int kBits = 15;

    explicit SymbolModel(std::uint32_t count) : m_counts(count, 1), m_sums(count, 0), m_cycle(count) {
        updateProbabilities();
        m_cycle = m_left = (count + 6) / 2;
    }
    /// Cumulative probability below each symbol, in units of 2^-15.
    const std::vector<std::uint32_t>& sums() const { return m_sums; }
    void count(std::uint32_t symbol) {
        ++m_counts[symbol];
        if (--m_left == 0)
            updateProbabilities();
    }

private:
    void updateProbabilities() {
        m_total += m_cycle;
        if (m_total > 1u << kBits) {
            m_total = 0;
            for (std::uint32_t& one : m_counts)
                m_total += one = (one + 1) / 2;
        }
        const std::uint32_t scale = 0x80000000u / m_total;
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < m_counts.size(); ++i) {
            m_sums[i] = scale * sum >> (31 - kBits);
            sum += m_counts[i];
        }
        const auto most = static_cast<std::uint32_t>((m_counts.size() + 6) * 8);
        m_cycle = m_left = std::min(5 * m_cycle / 4, most);
    }
    std::vector<std::uint32_t> m_counts, m_sums;
    std::uint32_t m_total = 0, m_cycle = 0, m_left = 0;
};

/// Adaptive model of a single bit, whose update rules differ from those of SymbolModel.
class BitModel {
public:
    static constexpr int kBits = 13;

    std::uint32_t zero() const { return m_zero; }
    void count(bool isZero) {
        m_zeros += isZero ? 1 : 0;
        if (--m_left > 0)
            return;
        m_all += m_cycle;
        if (m_all > 1u << kBits) {
            m_all = (m_all + 1) / 2;
            m_zeros = (m_zeros + 1) / 2;
            if (m_zeros == m_all)
                ++m_all;
        }
        m_zero = m_zeros * (0x80000000u / m_all) >> (31 - kBits);
        m_cycle = m_left = std::min(5 * m_cycle / 4, 64u);
    }

private:
    std::uint32_t m_zero = 1u << (kBits - 1), m_zeros = 1, m_all = 2, m_cycle = 4, m_left = 4;
};

/// Models of integer differences: size class, the bit of class 0, and the highest bits of the other classes.
struct DifferenceModels {
    DifferenceModels() {
        for (int k = 1; k <= 32; ++k)
            high.emplace_back(1u << std::min(k, kHighBits));
    }
    /// Size classes: of differences between points, and between bytes.
    SymbolModel classes[2] = {SymbolModel(33), SymbolModel(33)};
    BitModel one;
    std::vector<SymbolModel> high; ///< [32], for classes 1 to 32
};

} // namespace scanloupe::detail
