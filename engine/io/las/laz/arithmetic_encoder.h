#pragma once
// Implements adaptive arithmetic encoding for LAZ, the counterpart of the decoder in
// laz_chunk_table_decoder.cpp.
#include "engine/io/las/laz/arithmetic_models.h"

#include <string>

namespace scanloupe::detail {

class ArithmeticEncoder {
public:
    void symbol(SymbolModel& symbols, std::uint32_t symbol) {
        const auto& sums = symbols.sums();
        const std::uint32_t whole = m_length;
        m_length >>= SymbolModel::kBits;
        const std::uint32_t low = sums[symbol] * m_length;
        const std::uint32_t high = symbol + 1 < sums.size() ? sums[symbol + 1] * m_length : whole;
        narrowInterval(low, high - low);
        symbols.count(symbol);
    }
    void bit(BitModel& model, bool set) {
        const std::uint32_t border = model.zero() * (m_length >> BitModel::kBits);
        narrowInterval(set ? border : 0, set ? m_length - border : border);
        model.count(!set);
    }
    void bits(int count, std::uint32_t value) {
        if (count > 19) {
            bits(16, value & 0xffff);
            value >>= 16;
            count -= 16;
        }
        m_length >>= count;
        narrowInterval(value * m_length, m_length);
    }
    /// Ends the stream and returns its bytes, with padding, since a decoder reads a few bytes ahead.
    std::string finish() {
        const bool wide = m_length > 2 * kMinLength;
        add(wide ? kMinLength : kMinLength >> 1);
        m_length = wide ? kMinLength >> 1 : kMinLength >> 9;
        renormalize();
        m_bytes.append(wide ? 3 : 2, '\0');
        return std::move(m_bytes);
    }

private:
    void add(std::uint32_t low) {
        m_base += low;
        if (m_base >= low)
            return;
        std::size_t i = m_bytes.size(); // propagates the carry into bytes already written
        while (m_bytes[--i] == '\xff')
            m_bytes[i] = 0;
        m_bytes[i] = static_cast<char>(static_cast<unsigned char>(m_bytes[i]) + 1);
    }
    void narrowInterval(std::uint32_t low, std::uint32_t length) {
        add(low);
        m_length = length;
        renormalize();
    }
    void renormalize() {
        while (m_length < kMinLength) {
            m_bytes.push_back(static_cast<char>(m_base >> 24));
            m_base <<= 8;
            m_length <<= 8;
        }
    }
    std::string m_bytes;
    std::uint32_t m_base = 0, m_length = 0xffffffff;
};

} // namespace scanloupe::detail
