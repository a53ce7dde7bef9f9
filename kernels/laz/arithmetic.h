#pragma once
// Decodes arithmetic codes with adaptive models (A. Said, Introduction to Arithmetic Coding, HPL-2004-76; LAZ
// specification 1.4 R1, section 6) on host and device, by one thread or by several lanes of a warp.
//
// A model is an array of 32-bit words. Zeroed memory is an unused model, which is initialized when its first
// symbol is decoded. So the many models that a chunk never uses cost no time.
#include "kernels/core/hd.h"
#include "kernels/laz/chunk.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace scanloupe::laz {

/// Interval length below which the decoder renormalizes, i.e. reads bytes.
inline constexpr std::uint32_t kMinLength = 1u << 24;
/// Number of binary digits of cumulative probabilities: of symbols, and of single bits. Also the base-2
/// logarithm of the sum of counts at which counts are halved.
inline constexpr unsigned kSymbolDigits = 15, kBitDigits = 13;
/// Maximum number of bits that are decoded in one step.
inline constexpr unsigned kMaxBits = 19;

/// State of an arithmetic decoder; identical for all lanes of a group.
class ArithmeticDecoder {
public:
    HD explicit ArithmeticDecoder(const ByteStream& stream) : m_stream(stream), m_next(load()) {
        refill();
        refill();
        m_value = static_cast<std::uint32_t>(m_window >> 32);
        m_window <<= 32;
        m_bits -= 32;
        // No valid code begins like this; the following code requires a value below the length.
        if (m_value == m_length) {
            m_invalid = true;
            m_value = 0;
        }
    }
    HD std::uint32_t value() const { return m_value; }
    HD std::uint32_t length() const { return m_length; }

    /// Narrows the interval to [low, high).
    HD void narrow(std::uint32_t low, std::uint32_t high) {
        m_value -= low;
        m_length = high - low;
        if (m_length >= kMinLength)
            return;
        // shifts by whole bytes: 8, 16 or 24 bits, since no part is shorter than 2^24 / 2^kMaxBits
        const auto shift = static_cast<unsigned>(std::countl_zero(m_length)) & 24u;
        m_value = m_value << shift | static_cast<std::uint32_t>(m_window >> (64 - shift));
        m_length <<= shift;
        m_window <<= shift;
        m_bits -= shift;
        if (m_bits <= 32)
            refill();
    }

    /// Decodes the next `count` bits, 1 to 32, which are stored uncompressed.
    HD std::uint32_t bits(unsigned count) {
        if (count <= kMaxBits)
            return equalBits(count);
        const std::uint32_t low = equalBits(16);
        return equalBits(count - 16) << 16 | low;
    }

    /// Returns true if the stream contains a code that no encoder writes, or if more bits were decoded than
    /// it contains.
    HD bool isDamaged() const {
        const std::uint64_t read = 4 * (std::uint64_t{m_word} - 1) - m_bits / 8;
        return m_invalid || read > m_stream.bytes;
    }

private:
    HD std::uint32_t equalBits(unsigned count) {
        const std::uint32_t unit = m_length >> count;
        std::uint32_t found = m_value / unit;
        if (found >> count != 0) {
            m_invalid = true;
            m_value = 0;
            found = 0;
        }
        narrow(found * unit, found * unit + unit);
        return found;
    }
    /// Loads the next word of the stream; 0 after its end, in which case isDamaged() returns true if the
    /// word's bits are used.
    HD std::uint32_t load() {
        const std::uint32_t at = m_word++;
        return at < m_stream.bytes / 4 + (m_stream.bytes % 4 != 0 ? 1 : 0) ? m_stream.words[at] : 0;
    }
    /// Appends a word to the window. The word was loaded at the previous refill, which hides the latency of
    /// memory.
    HD void refill() {
        const std::uint32_t word =
            m_next << 24 | (m_next << 8 & 0xff0000u) | (m_next >> 8 & 0xff00u) | m_next >> 24;
        m_window |= static_cast<std::uint64_t>(word) << (32 - m_bits);
        m_bits += 32;
        m_next = load();
    }

    ByteStream m_stream;
    std::uint64_t m_window = 0; ///< the next bits of the stream, from the highest bit on
    unsigned m_bits = 0;        ///< number of bits in the window
    std::uint32_t m_word = 0;   ///< index of the stream's word after m_next
    std::uint32_t m_next = 0;   ///< the word of the stream after the window
    std::uint32_t m_value = 0, m_length = 0xffffffff;
    bool m_invalid = false;
};

/// Layout of the model of an alphabet, in words. A symbol's word contains its cumulative probability in the
/// low half and its count in the high half; counts stay below 2^16, since they are halved when their sum
/// exceeds 2^15. For a large alphabet, a row repeats the probability of every 8th symbol: a search among 256
/// symbols then reads one cache line and one sector of 32 bytes.
struct SymbolModel {
    static constexpr std::uint32_t kTotal = 0; ///< word with the sum of counts, and the update cycle << 16
    static constexpr std::uint32_t kUntilUpdate = 1; ///< word with the number of symbols until the next
                                                     ///< update; 0: never used
    static constexpr std::uint32_t kStep = 8;        ///< number of symbols between two entries of the row

    static constexpr std::uint32_t kLargestWithoutRow = 33; ///< maximum number of symbols of a model without
                                                            ///< a row

    static constexpr HD bool hasRow(std::uint32_t symbols) { return symbols > kLargestWithoutRow; }
    /// Returns the index of the word of symbol 0; the words of the symbols follow the row.
    static constexpr HD std::uint32_t first(std::uint32_t symbols) {
        return hasRow(symbols) ? kStep + symbols / kStep : 2;
    }
    static constexpr HD std::uint32_t words(std::uint32_t symbols) {
        return (first(symbols) + symbols + 7) / 8 * 8; // rounded up to sectors of 32 bytes
    }
};

/// Recomputes the probabilities from the counts. Not inlined, since a decoder calls it in ten places but only
/// once in hundreds of symbols: its instructions should not fill the instruction cache.
template <class Lanes>
[[gnu::noinline]] HD void updateModel(Lanes lanes, std::uint32_t* model, std::uint32_t symbols) {
    std::uint32_t* const words = model + SymbolModel::first(symbols);
    // number of consecutive symbols per lane
    const std::uint32_t each = (symbols + Lanes::kCount - 1) / Lanes::kCount;
    const auto forRun = [&](std::uint32_t lane, const auto& f) {
        for (std::uint32_t i = lane * each; i < symbols && i < (lane + 1) * each; ++i)
            f(i);
    };
    const std::uint32_t head = model[SymbolModel::kTotal];
    std::uint32_t cycle = head >> 16, total = (head & 0xffffu) + cycle;
    const bool halve = total > 1u << kSymbolDigits;
    const auto sums = lanes.each([&](std::uint32_t lane) {
        std::uint32_t sum = 0;
        forRun(lane, [&](std::uint32_t i) {
            if (halve)
                words[i] = ((words[i] >> 16) + 1) / 2 << 16;
            sum += words[i] >> 16;
        });
        return sum;
    });
    if (halve)
        total = lanes.sum(sums);
    const std::uint32_t scale = 0x80000000u / total;
    const auto before = lanes.sumsBefore(sums);
    lanes.forEach([&](std::uint32_t lane) {
        std::uint32_t sum = lanes.of(before, lane);
        forRun(lane, [&](std::uint32_t i) {
            const std::uint32_t count = words[i] >> 16, probability = scale * sum >> (31 - kSymbolDigits);
            words[i] = count << 16 | probability;
            if (SymbolModel::hasRow(symbols) && i % SymbolModel::kStep == 0)
                model[SymbolModel::kStep + i / SymbolModel::kStep] = probability;
            sum += count;
        });
    });
    cycle = 5 * cycle / 4 < 8 * (symbols + 6) ? 5 * cycle / 4 : 8 * (symbols + 6);
    lanes.once([&] {
        model[SymbolModel::kTotal] = cycle << 16 | total;
        model[SymbolModel::kUntilUpdate] = cycle;
    });
    lanes.sync();
}

/// Initializes a model in which each symbol has been counted once.
template <class Lanes>
[[gnu::noinline]] HD void startModel(Lanes lanes, std::uint32_t* model, std::uint32_t symbols) {
    lanes.forEach([&](std::uint32_t lane) {
        for (std::uint32_t i = lane; i < symbols; i += Lanes::kCount)
            model[SymbolModel::first(symbols) + i] = 1u << 16;
    });
    lanes.once([&] { model[SymbolModel::kTotal] = symbols << 16; });
    lanes.sync();
    updateModel(lanes, model, symbols);
    const std::uint32_t cycle = (symbols + 6) / 2;
    lanes.once([&] {
        model[SymbolModel::kTotal] = cycle << 16 | symbols;
        model[SymbolModel::kUntilUpdate] = cycle;
    });
    lanes.sync();
}

/// A decoded symbol: its part of the interval, and its word in the model.
struct FoundSymbol {
    std::uint32_t symbol, low, high, word;
};

/// Finds the last of `count` symbols, at most `kMax`, whose part of the interval begins at or below `value`.
/// @param found must contain the first of these symbols, and in `high` the end of the part of the last one;
/// receives the result. L lanes compare with L symbols at a time, which narrows the search to one of L + 1
/// ranges.
template <std::uint32_t kMax, class Lanes>
HD void searchSymbol(const Lanes& lanes, const std::uint32_t* words, std::uint32_t count, std::uint32_t unit,
                     std::uint32_t value, FoundSymbol& found) {
    constexpr std::uint32_t parts = Lanes::kCount + 1;
    constexpr bool atOnce = kMax <= parts;
    constexpr bool lastLaneHasFirst = kMax < parts; // the last lane has no symbol to compare with, so it can
                                                    // load the word of the first symbol
    if constexpr (!lastLaneHasFirst)
        found.word = words[found.symbol];
    do {
        const std::uint32_t step = atOnce ? 1 : (count + parts - 1) / parts;
        const std::uint32_t* const from = words + found.symbol;
        const auto word = lanes.each([&](std::uint32_t lane) {
            const std::uint32_t i = (lane + 1) * step;
            return from[i < count ? i : 0];
        });
        const auto bound = lanes.each([&](std::uint32_t lane) {
            const std::uint32_t begin = (lanes.of(word, lane) & 0xffffu) * unit;
            return (lane + 1) * step < count ? begin : ~0u; // larger than any value
        });
        const std::uint32_t below =
            lanes.countTrue(lanes.each([&](std::uint32_t lane) { return lanes.of(bound, lane) <= value; }));
        const std::uint32_t next = lanes.from(bound, below), low = lanes.from(bound, below - 1),
                            // for below = 0, the index wraps around to the last lane
            lowWord = lanes.from(word, below - 1);
        found.high = below < Lanes::kCount && next < found.high ? next : found.high;
        found.low = below > 0 ? low : found.low;
        found.word = below > 0 || lastLaneHasFirst ? lowWord : found.word;
        found.symbol += below * step;
        count = count - below * step < step ? count - below * step : step;
    } while (!atOnce && count > 1);
}

/// Decodes a symbol, and counts it in the model. @param symbols size of the alphabet, at most `kMax`
template <std::uint32_t kMax, class Lanes>
HD std::uint32_t decodeSymbol(const Lanes& lanes, ArithmeticDecoder& decoder, std::uint32_t* model,
                              std::uint32_t symbols) {
    std::uint32_t* const words = model + SymbolModel::first(symbols);
    const std::uint32_t unit = decoder.length() >> kSymbolDigits;
    const auto search = [&] {
        FoundSymbol found{0, 0, decoder.length(), 0};
        if (kMax > SymbolModel::kLargestWithoutRow && SymbolModel::hasRow(symbols)) {
            searchSymbol<kMax / SymbolModel::kStep>(lanes, model + SymbolModel::kStep,
                                                    symbols / SymbolModel::kStep, unit, decoder.value(),
                                                    found);
            found.symbol *= SymbolModel::kStep;
            searchSymbol<SymbolModel::kStep>(lanes, words, SymbolModel::kStep, unit, decoder.value(), found);
        } else {
            searchSymbol<kMax == SymbolModel::kLargestWithoutRow ? kMax : 32>(lanes, words, symbols, unit,
                                                                              decoder.value(), found);
        }
        return found;
    };
    std::uint32_t untilUpdate = model[SymbolModel::kUntilUpdate];
    FoundSymbol found = search();
    if (untilUpdate == 0) { // tested only here: an earlier test would make the search wait for memory
        startModel(lanes, model, symbols);
        untilUpdate = model[SymbolModel::kUntilUpdate];
        found = search();
    }
    decoder.narrow(found.low, found.high);
    lanes.sync(); // all lanes have read the words that are changed next
    lanes.once([&] {
        words[found.symbol] = found.word + (1u << 16);
        model[SymbolModel::kUntilUpdate] = untilUpdate - 1;
    });
    lanes.sync();
    if (untilUpdate == 1)
        updateModel(lanes, model, symbols);
    return found.symbol;
}

/// Layout of the model of a single bit, in words.
struct BitModel {
    /// index of the word that contains: number of zero bits | number of all bits << 16
    static constexpr std::uint32_t kCounts = 0;
    /// index of the word that contains: number of bits until the update | update cycle << 8 |
    /// probability of 0 << 16; the word is 0 if the model was never used
    static constexpr std::uint32_t kCycle = 1;
    static constexpr std::uint32_t kWords = 2;
};

/// Decodes a bit, and counts it in the model.
template <class Lanes>
HD bool decodeBit(const Lanes& lanes, ArithmeticDecoder& decoder, std::uint32_t* model) {
    std::uint32_t counts = model[BitModel::kCounts], state = model[BitModel::kCycle];
    if (state == 0) {
        counts = 2u << 16 | 1u;
        state = 1u << (kBitDigits - 1) << 16 | 4u << 8 | 4u;
    }
    const std::uint32_t border = (state >> 16) * (decoder.length() >> kBitDigits);
    const bool one = decoder.value() >= border;
    if (one)
        decoder.narrow(border, decoder.length());
    else
        decoder.narrow(0, border);
    std::uint32_t zeros = (counts & 0xffffu) + (one ? 0 : 1), all = counts >> 16, cycle = state >> 8 & 0xffu;
    --state;
    if ((state & 0xffu) == 0) {
        all += cycle;
        if (all > 1u << kBitDigits) {
            all = (all + 1) / 2;
            zeros = (zeros + 1) / 2;
            all += zeros == all ? 1 : 0;
        }
        const std::uint32_t probability = zeros * (0x80000000u / all) >> (31 - kBitDigits);
        cycle = 5 * cycle / 4 < 64 ? 5 * cycle / 4 : 64;
        state = probability << 16 | cycle << 8 | cycle;
    }
    lanes.sync(); // all lanes have read the words that are changed next
    lanes.once([&] {
        model[BitModel::kCounts] = all << 16 | zeros;
        model[BitModel::kCycle] = state;
    });
    lanes.sync();
    return one;
}

} // namespace scanloupe::laz
