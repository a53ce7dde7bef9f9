// Decodes the chunk table of LAZ: differences of integers by adaptive arithmetic coding.
#include "engine/io/las/laz/arithmetic_models.h"
#include "engine/io/las/laz/laz_chunks.h"

namespace scanloupe {

namespace {

using namespace detail;

class ArithmeticDecoder {
public:
    explicit ArithmeticDecoder(std::span<const std::byte> packed) : m_packed(packed) {
        for (int i = 0; i < 4; ++i)
            m_value = m_value << 8 | next();
    }
    /// Whether more bytes were read than are available.
    bool overrun() const { return m_at > m_packed.size(); }

    std::uint32_t symbol(SymbolModel& symbols) {
        const auto& sums = symbols.sums();
        m_length >>= SymbolModel::kBits;
        const std::uint32_t scaled = m_value / m_length;
        const auto above = std::upper_bound(sums.begin(), sums.end(), scaled);
        const auto found = static_cast<std::size_t>(above - sums.begin()) - 1;
        const std::uint32_t low = sums[found] * m_length;
        const std::uint32_t high = found + 1 < sums.size() ? sums[found + 1] * m_length : m_whole;
        narrowInterval(low, high - low);
        symbols.count(static_cast<std::uint32_t>(found));
        return static_cast<std::uint32_t>(found);
    }
    bool bit(BitModel& model) {
        const std::uint32_t border = model.zero() * (m_length >> BitModel::kBits);
        const bool isZero = m_value < border;
        narrowInterval(isZero ? 0 : border, isZero ? border : m_length - border);
        model.count(isZero);
        return !isZero;
    }
    std::uint32_t bits(int count) {
        if (count > 19) {
            const std::uint32_t low = bits(16);
            return bits(count - 16) << 16 | low;
        }
        m_length >>= count;
        const std::uint32_t found = m_value / m_length;
        narrowInterval(found * m_length, m_length);
        return found;
    }

private:
    std::uint32_t next() {
        const std::size_t at = m_at++;
        return at < m_packed.size() ? std::to_integer<std::uint32_t>(m_packed[at]) : 0;
    }
    void narrowInterval(std::uint32_t low, std::uint32_t length) {
        m_value -= low;
        m_length = std::max(length, 1u); // may be 0 in damaged data
        while (m_length < kMinLength) {
            m_value = m_value << 8 | next();
            m_length <<= 8;
        }
        m_whole = m_length;
    }
    std::span<const std::byte> m_packed;
    std::size_t m_at = 0;
    std::uint32_t m_value = 0, m_length = 0xffffffff, m_whole = 0xffffffff;
};

/// Decodes a 32-bit integer as a difference from the previous one, `before`.
std::uint32_t decodeInteger(ArithmeticDecoder& decoder, DifferenceModels& models, std::uint32_t before,
                            int context) {
    const auto k = static_cast<int>(decoder.symbol(models.classes[context]));
    if (k == 0)
        return before + (decoder.bit(models.one) ? 1 : 0);
    if (k == 32)
        return before + 0x80000000u;
    std::uint32_t value = decoder.symbol(models.high[static_cast<std::size_t>(k - 1)]);
    if (k > kHighBits)
        value = value << (k - kHighBits) | decoder.bits(k - kHighBits);
    return before + (value >= 1u << (k - 1) ? value + 1 : value - ((1u << k) - 1));
}

} // namespace

std::vector<LazChunkEntry> decodeLazChunkTable(std::span<const std::byte> packed, std::size_t entries,
                                               bool variable) {
    ArithmeticDecoder decoder(packed);
    DifferenceModels models;
    std::vector<LazChunkEntry> table;
    LazChunkEntry before;
    for (std::size_t i = 0; i < entries && !decoder.overrun(); ++i) {
        if (variable)
            before.points = decodeInteger(decoder, models, before.points, 0);
        before.bytes = decodeInteger(decoder, models, before.bytes, 1);
        table.push_back(before);
    }
    return table.size() == entries && !decoder.overrun() ? table : std::vector<LazChunkEntry>();
}

} // namespace scanloupe
