#pragma once
// Decodes positions of LAZ chunks of point formats 6 to 10 on host and device: the layer of scanner channel,
// returns, x and y, and the layer of z (LAZ specification 1.4 R1, sections 9 and 10). Other layers are
// skipped.
#include "kernels/laz/arithmetic.h"
#include "kernels/laz/chunk.h"
#include "kernels/laz/lanes.h"

namespace scanloupe::laz {

/// Layout of the models of 32-bit integer differences: one model of the high bits for each class, see
/// Difference.
struct DifferenceModels {
    static constexpr std::uint32_t kClasses = 33; ///< number of classes: 0 to 32 binary digits of a
                                                  ///< difference
    /// Number of high bits with models; lower bits are stored uncompressed.
    static constexpr std::uint32_t kHighBits = 8;
    static constexpr std::uint32_t kClassWords = SymbolModel::words(kClasses);
    static constexpr std::uint32_t kSmallWords = SymbolModel::words(32);
    static constexpr std::uint32_t kLargeWords = SymbolModel::words(1u << kHighBits);

    /// Returns the index of the first word of the model of the high bits of class `k`, 1 to 31. The models of
    /// classes 1 to 5 have the size of the model of class 5; all models from class 7 on have the same size.
    static constexpr HD std::uint32_t high(std::uint32_t k) {
        return k <= 6 ? (k - 1) * kSmallWords
                      : 5 * kSmallWords + SymbolModel::words(64) + (k - 7) * kLargeWords;
    }
    static constexpr std::uint32_t kWords = 5 * kSmallWords + SymbolModel::words(64) + 25 * kLargeWords;
};

/// Layout of the models and of the history of one scanner channel, in words, for the layer of x and y.
/// Initially all words are 0.
struct XyState {
    static constexpr std::uint32_t kPoint = 0; ///< latest x, y and returns; then 1 if the channel has a point
    static constexpr std::uint32_t kMedians = 8; ///< [2, 12] medians of the differences of x and of y,
                                                 ///< kMedianWords each
    static constexpr std::uint32_t kMedianWords = 6;
    /// Bit models of x and y for differences of one digit.
    static constexpr std::uint32_t kOnes = kMedians + 24 * kMedianWords;
    static constexpr std::uint32_t kChannel = kOnes + 8;
    static constexpr std::uint32_t kSameTime = kChannel + SymbolModel::words(3);
    /// [16] models of the number of returns
    static constexpr std::uint32_t kNumbers = kSameTime + SymbolModel::words(13);
    /// [16] models of the return number
    static constexpr std::uint32_t kReturns = kNumbers + 16 * SymbolModel::words(16);
    /// [8] models of which attributes have changed
    static constexpr std::uint32_t kChanged = kReturns + 16 * SymbolModel::words(16);
    /// [2] models of the classes of differences of x
    static constexpr std::uint32_t kXClasses = kChanged + 8 * SymbolModel::words(128);
    /// [22] models of the classes of differences of y
    static constexpr std::uint32_t kYClasses = kXClasses + 2 * DifferenceModels::kClassWords;
    static constexpr std::uint32_t kXHigh = kYClasses + 22 * DifferenceModels::kClassWords;
    static constexpr std::uint32_t kYHigh = kXHigh + DifferenceModels::kWords;
    static constexpr std::uint32_t kWords = kYHigh + DifferenceModels::kWords;
};

/// Layout of the models and of the history of one scanner channel, in words, for the layer of z. Initially
/// all words are 0.
struct ZState {
    static constexpr std::uint32_t kPoint = 0; ///< 1 if the channel has a point
    static constexpr std::uint32_t kOne = 2;
    static constexpr std::uint32_t kLast = 8;     ///< [8] latest z by the number of remaining returns
    static constexpr std::uint32_t kClasses = 16; ///< [20] models of the classes of differences
    static constexpr std::uint32_t kHigh = kClasses + 20 * DifferenceModels::kClassWords;
    static constexpr std::uint32_t kWords = kHigh + DifferenceModels::kWords;
};

/// Number of words of state that a chunk needs, all 0: models are initialized on first use.
inline constexpr std::uint32_t kPositionStateWords = kChannels * (XyState::kWords + ZState::kWords);

/// An integer difference and its class, which is the minimum number of binary digits that represent it.
struct Difference {
    std::uint32_t value = 0, digits = 0;
};

template <class Lanes>
HD Difference decodeDifference(const Lanes& lanes, ArithmeticDecoder& decoder, std::uint32_t* classes,
                               std::uint32_t* high, std::uint32_t* one) {
    const std::uint32_t k =
        decodeSymbol<DifferenceModels::kClasses>(lanes, decoder, classes, DifferenceModels::kClasses);
    if (k == 0)
        return {decodeBit(lanes, decoder, one) ? 1u : 0u, k};
    if (k == 32)
        return {0x80000000u, k};
    const std::uint32_t highBits = k < DifferenceModels::kHighBits ? k : DifferenceModels::kHighBits;
    std::uint32_t value = decodeSymbol<1u << DifferenceModels::kHighBits>(
        lanes, decoder, high + DifferenceModels::high(k), 1u << highBits);
    if (k > highBits)
        value = value << (k - highBits) | decoder.bits(k - highBits);
    // the lower half of the values is negative
    return {value >= 1u << (k - 1) ? value + 1 : value - ((1u << k) - 1), k};
}

/// Five values in ascending order, whose middle approximates the median of the latest values. A new value
/// replaces the highest value until a new value is >= the middle; from then on, new values replace the lowest
/// until a new value is <= the middle.
struct StreamingMedian {
    static HD std::int32_t of(const std::uint32_t* words) { return static_cast<std::int32_t>(words[2]); }

    template <class Lanes>
    static HD void add(const Lanes& lanes, std::uint32_t* words, std::int32_t value) {
        const bool dropsLowest = words[5] != 0;
        std::int32_t kept[4], middle = of(words);
        for (int i = 0; i < 4; ++i)
            kept[i] = static_cast<std::int32_t>(dropsLowest ? words[i + 1] : words[i]);
        lanes.sync(); // all lanes have read the words that are changed next
        lanes.once([&] {
            std::int32_t carried = value;
            for (int i = 3; i >= 0; --i) { // inserts `value`, starting at the highest one
                words[i + 1] = static_cast<std::uint32_t>(kept[i] > carried ? kept[i] : carried);
                carried = kept[i] > carried ? carried : kept[i];
            }
            words[0] = static_cast<std::uint32_t>(carried);
            words[5] = dropsLowest ? (middle < value ? 1 : 0) : (value < middle ? 0 : 1);
        });
        lanes.sync();
    }
};

/// Returns one of six contexts, by return number and number of returns. The contexts distinguish pulses with
/// few returns. Files that count from 0, or swap the two numbers, get contexts, too.
HD inline std::uint32_t returnsContext(std::uint32_t number, std::uint32_t returns) {
    const std::uint32_t low = number < returns ? number : returns, high = number < returns ? returns : number;
    if (low == 0)
        return high <= 5 ? high : high == 6 ? 3 : high <= 8 ? 4 : 5;
    if (low == 1)
        return high == 1 ? 0 : high == 2 ? 1 : 3;
    if (low == 2)
        return high == 2 ? 2 : high <= 10 ? 4 : 3;
    return high == low || (low >= 11 && high == low + 1) ? 5 : 4;
}

/// What the layer of z needs of a point: the model of its class, the latest z from which it is predicted, and
/// its scanner channel.
struct ZContext {
    std::uint32_t model = 0; ///< index of the model of the class, 0 to 19
    std::uint32_t level = 0; ///< index of the latest z, 0 to 7
    std::uint32_t channel = 0;

    HD std::uint32_t packed() const { return model | level << 5 | channel << 8; } // uses 16 bits
    static HD ZContext unpacked(std::uint32_t bits) { return {bits & 31, bits >> 5 & 7, bits >> 8 & 3}; }
};

/// Decodes the layer of scanner channel, returns, x and y.
template <class Lanes>
class XyLayer {
public:
    /// @param state [kChannels, XyState::kWords] words, all 0
    HD XyLayer(const Lanes& lanes, const LayeredChunk& chunk, const std::uint32_t* words,
               std::uint32_t* state)
        : m_lanes(lanes), m_decoder(chunk.xy.in(words)), m_states(state),
          m_channel(chunk.channel % kChannels), m_state(state + m_channel * XyState::kWords),
          m_x(static_cast<std::uint32_t>(chunk.xyz[0])), m_y(static_cast<std::uint32_t>(chunk.xyz[1])),
          m_number(chunk.returns & 15u), m_returns(chunk.returns >> 4) {}

    std::int32_t HD x() const { return static_cast<std::int32_t>(m_x); }
    std::int32_t HD y() const { return static_cast<std::int32_t>(m_y); }
    /// Returns the current scanner channel.
    std::uint32_t HD channel() const { return m_channel; }
    HD bool isDamaged() const { return m_decoder.isDamaged(); }

    /// Decodes the next point.
    HD ZContext next() {
        const std::uint32_t last =
            (m_number == 1 ? 1u : 0u) | (m_number >= m_returns ? 2u : 0u) | (m_timeChanged ? 4u : 0u);
        const std::uint32_t changed = symbol<128>(XyState::kChanged + last * SymbolModel::words(128));
        if (changed & 64u)
            switchChannel((m_channel + symbol<3>(XyState::kChannel) + 1) % kChannels);
        m_timeChanged = (changed & 16u) != 0;
        const std::uint32_t lastNumber = m_number;
        if (changed & 4u)
            m_returns = symbol<16>(XyState::kNumbers + m_returns * SymbolModel::words(16));
        switch (changed & 3u) {
        case 0:
            break;
        case 1:
            m_number = (lastNumber + 1) % 16;
            break;
        case 2:
            m_number = (lastNumber + 15) % 16;
            break;
        default:
            m_number = m_timeChanged ? symbol<16>(XyState::kReturns + lastNumber * SymbolModel::words(16))
                                     : (lastNumber + symbol<13>(XyState::kSameTime) + 2) % 16;
        }
        const std::uint32_t single = m_returns == 1 ? 1 : 0;
        const std::uint32_t history = 2 * returnsContext(m_number, m_returns) + (m_timeChanged ? 1 : 0);
        const std::uint32_t xDigits =
            move(m_x, history, single, XyState::kXClasses, XyState::kXHigh, XyState::kOnes);
        const std::uint32_t yDigits =
            move(m_y, 12 + history, single + (xDigits < 20 ? xDigits & ~1u : 20u), XyState::kYClasses,
                 XyState::kYHigh, XyState::kOnes + BitModel::kWords);
        const std::uint32_t digits = (xDigits + yDigits) / 2;
        const std::uint32_t level = m_number < m_returns ? m_returns - m_number : m_number - m_returns;
        return {single + (digits < 18 ? digits & ~1u : 18u), level < 7 ? level : 7, m_channel};
    }

private:
    template <std::uint32_t kSymbols>
    HD std::uint32_t symbol(std::uint32_t model) {
        return decodeSymbol<kSymbols>(m_lanes, m_decoder, m_state + model, kSymbols);
    }
    /// Decodes the difference of a coordinate, and adds it. @returns its class
    HD std::uint32_t move(std::uint32_t& coordinate, std::uint32_t history, std::uint32_t context,
                          std::uint32_t classes, std::uint32_t high, std::uint32_t one) {
        std::uint32_t* const median = m_state + XyState::kMedians + history * XyState::kMedianWords;
        const Difference found =
            decodeDifference(m_lanes, m_decoder, m_state + classes + context * DifferenceModels::kClassWords,
                             m_state + high, m_state + one);
        const std::uint32_t moved = found.value + static_cast<std::uint32_t>(StreamingMedian::of(median));
        StreamingMedian::add(m_lanes, median, static_cast<std::int32_t>(moved));
        coordinate += moved;
        return found.digits;
    }
    /// Continues from the latest point of another scanner channel; if that channel has no points, from the
    /// latest point of the current channel.
    HD void switchChannel(std::uint32_t channel) {
        m_lanes.once([&] {
            m_state[XyState::kPoint] = m_x;
            m_state[XyState::kPoint + 1] = m_y;
            m_state[XyState::kPoint + 2] = m_number | m_returns << 4;
            m_state[XyState::kPoint + 3] = 1;
        });
        m_lanes.sync();
        m_channel = channel;
        m_state = m_states + channel * XyState::kWords;
        if (m_state[XyState::kPoint + 3] == 0)
            return;
        m_x = m_state[XyState::kPoint];
        m_y = m_state[XyState::kPoint + 1];
        m_number = m_state[XyState::kPoint + 2] & 15u;
        m_returns = m_state[XyState::kPoint + 2] >> 4;
    }

    Lanes m_lanes;
    ArithmeticDecoder m_decoder;
    std::uint32_t* m_states;
    std::uint32_t m_channel;
    std::uint32_t* m_state; ///< words of the current channel in `state`
    std::uint32_t m_x, m_y, m_number, m_returns;
    bool m_timeChanged = false; ///< whether the GPS time of the latest point, in any channel, changed
};

/// Decodes the layer of z.
template <class Lanes>
class ZLayer {
public:
    /// @param state [kChannels, ZState::kWords] words, all 0
    HD ZLayer(const Lanes& lanes, const LayeredChunk& chunk, const std::uint32_t* words, std::uint32_t* state)
        : m_lanes(lanes), m_decoder(chunk.z.in(words)), m_states(state), m_isConstant(chunk.z.bytes == 0),
          m_z(static_cast<std::uint32_t>(chunk.xyz[2])) {
        use(chunk.channel % kChannels);
    }
    HD std::int32_t z() const { return static_cast<std::int32_t>(m_z); }
    HD bool isDamaged() const { return !m_isConstant && m_decoder.isDamaged(); }

    /// Decodes the z of the point for which XyLayer::next() has returned `context`.
    HD void next(const ZContext& context) {
        if (m_isConstant)
            return;
        if (context.channel != m_channel)
            use(context.channel);
        std::uint32_t* const last = m_state + ZState::kLast + context.level;
        m_z = *last +
              decodeDifference(m_lanes, m_decoder,
                               m_state + ZState::kClasses + context.model * DifferenceModels::kClassWords,
                               m_state + ZState::kHigh, m_state + ZState::kOne)
                  .value;
        m_lanes.sync(); // all lanes have read the words that are changed next
        m_lanes.once([&] { *last = m_z; });
        m_lanes.sync();
    }

private:
    /// Switches to a scanner channel. If that channel has no points, it continues from the latest z of the
    /// current channel.
    HD void use(std::uint32_t channel) {
        m_channel = channel;
        m_state = m_states + channel * ZState::kWords;
        const bool isNew = m_state[ZState::kPoint] == 0;
        m_lanes.sync();
        if (isNew)
            m_lanes.once([&] {
                m_state[ZState::kPoint] = 1;
                for (std::uint32_t i = 0; i < 8; ++i)
                    m_state[ZState::kLast + i] = m_z;
            });
        m_lanes.sync();
    }

    Lanes m_lanes;
    ArithmeticDecoder m_decoder;
    std::uint32_t* m_states;
    std::uint32_t* m_state = nullptr; ///< words of the current channel in `state`
    std::uint32_t m_channel = 0;
    bool m_isConstant;
    std::uint32_t m_z;
};

/// Number of points between two checks for a stop request.
inline constexpr std::uint32_t kStopInterval = 1024;

/// Returns whether `out` requests a stop; the answer is the same for all lanes.
template <class Lanes, class Out>
HD bool isStopped(const Lanes& lanes, const Out& out) {
    return lanes.from(lanes.each([&](std::uint32_t) { return out.isStopped() ? 1u : 0u; }), 0) != 0;
}

/// Decodes the positions of a chunk. Returns false if it is damaged: all positions but the first are then
/// arbitrary.
/// @param words words of the layers of all chunks
/// @param state [kPositionStateWords] words, all 0
/// @param out receives `put(i, x, y, z, channel)` for each point; decoding ends early if `isStopped()`
template <class Lanes, class Out>
HD bool decodePositions(const Lanes& lanes, const LayeredChunk& chunk, const std::uint32_t* words,
                        std::uint32_t* state, Out out) {
    XyLayer<Lanes> xy(lanes, chunk, words, state);
    ZLayer<Lanes> z(lanes, chunk, words, state + kChannels * XyState::kWords);
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        if (i % kStopInterval == 0 && isStopped(lanes, out))
            return false;
        if (i > 0)
            z.next(xy.next());
        lanes.once([&] { out.put(i, xy.x(), xy.y(), z.z(), xy.channel()); });
    }
    return chunk.count <= 1 || !(xy.isDamaged() || z.isDamaged());
}

} // namespace scanloupe::laz
