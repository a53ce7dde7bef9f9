#pragma once
// Decodes the layers of extra bytes and of colours of LAZ chunks of point formats 6 to 10, on host and device
// (LAZ specification 1.4 R1, sections 10 and 11; version 3 of the encoding). These layers need the scanner
// channel of each point, which the layer of positions contains.
#include "kernels/laz/arithmetic.h"
#include "kernels/laz/lanes.h"

namespace scanloupe::laz {

/// Tracks the channels of a layer's points, to determine from which value the next point continues. In
/// version 3 of the encoding, LASzip uses the latest value of the previous channel when it returns to a
/// channel that was used before, and stores the new value there, too.
class ChannelHistory {
public:
    HD explicit ChannelHistory(std::uint32_t channel) : m_channel(channel), m_used(1u << channel) {}

    /// Switches to `channel`. @param copy called as `copy(to, from)` to initialize a channel without values
    /// from another channel @returns the channel whose value the next point continues
    template <class Copy>
    HD std::uint32_t next(std::uint32_t channel, const Copy& copy) {
        const bool isNew = (m_used >> channel & 1u) == 0;
        const std::uint32_t from = isNew ? channel : m_channel;
        if (isNew) {
            copy(channel, m_channel);
            m_used |= 1u << channel;
        }
        m_channel = channel;
        return from;
    }

private:
    std::uint32_t m_channel;
    std::uint32_t m_used; ///< one bit per channel: set if the channel has values
};

/// Layout of the models of a layer of one byte, in words; initially all 0.
struct ByteState {
    static constexpr std::uint32_t kWords = SymbolModel::words(256); ///< number of words of a channel
};

/// Decodes the layer of one extra byte.
template <class Lanes>
class ByteLayer {
public:
    /// @param state [kChannels, ByteState::kWords] words, all 0
    HD ByteLayer(const Lanes& lanes, const ByteLayerPlace& layer, std::uint32_t channel,
                 const std::uint32_t* words, std::uint32_t* state)
        : m_lanes(lanes), m_decoder(layer.place.in(words)), m_state(state), m_history(channel),
          m_values(std::uint32_t{layer.first} << 8 * channel) {}

    HD bool isDamaged() const { return m_decoder.isDamaged(); }

    /// Decodes the byte of the next point. @param channel the point's scanner channel
    HD std::uint8_t next(std::uint32_t channel) {
        const std::uint32_t from = m_history.next(
            channel, [&](std::uint32_t to, std::uint32_t source) { set(to, m_values >> 8 * source & 255u); });
        const std::uint32_t difference =
            decodeSymbol<256>(m_lanes, m_decoder, m_state + channel * ByteState::kWords, 256);
        const std::uint32_t value = ((m_values >> 8 * from & 255u) + difference) & 255u;
        set(from, value);
        return static_cast<std::uint8_t>(value);
    }

private:
    HD void set(std::uint32_t channel, std::uint32_t value) {
        m_values = (m_values & ~(255u << 8 * channel)) | value << 8 * channel;
    }

    Lanes m_lanes;
    ArithmeticDecoder m_decoder;
    std::uint32_t* m_state;
    ChannelHistory m_history;
    std::uint32_t m_values; ///< latest value of each channel, one byte each
};

/// Layout of the models and of the latest colour of one scanner channel, in words; initially all 0.
struct ColourState {
    static constexpr std::uint32_t kLatest = 0; ///< latest red, green, blue
    /// Model of flags: which bytes differ, and whether the colour is not grey.
    static constexpr std::uint32_t kChanged = 8;
    static constexpr std::uint32_t kBytes = kChanged + SymbolModel::words(128); ///< [6] models of the bytes
    static constexpr std::uint32_t kWords = kBytes + 6 * SymbolModel::words(256);
};

/// Decodes the layer of colours.
template <class Lanes>
class ColourLayer {
public:
    struct Colour {
        std::uint32_t rgb[3]; ///< 16 bits per channel
    };

    /// @param state [kChannels, ColourState::kWords] words, all 0
    HD ColourLayer(const Lanes& lanes, const LayeredChunk& chunk, const std::uint32_t* words,
                   std::uint32_t* state)
        : m_lanes(lanes), m_decoder(chunk.colour.in(words)), m_states(state),
          m_history(chunk.channel % kChannels) {
        store(chunk.channel % kChannels, {{chunk.rgb[0], chunk.rgb[1], chunk.rgb[2]}});
    }

    HD bool isDamaged() const { return m_decoder.isDamaged(); }

    /// Decodes the colour of the next point. @param channel the point's scanner channel
    HD Colour next(std::uint32_t channel) {
        const std::uint32_t from =
            m_history.next(channel, [&](std::uint32_t to, std::uint32_t source) { store(to, load(source)); });
        const Colour last = load(from);
        std::uint32_t* const models = m_states + channel * ColourState::kWords;
        const std::uint32_t changed =
            decodeSymbol<128>(m_lanes, m_decoder, models + ColourState::kChanged, 128);
        const auto lastByte = [&](std::uint32_t number) {
            return static_cast<int>(last.rgb[number / 2] >> 8 * (number % 2) & 255u);
        };
        const auto byteOf = [&](std::uint32_t number, int predicted) {
            if ((changed >> number & 1u) == 0)
                return lastByte(number);
            const std::uint32_t difference = decodeSymbol<256>(
                m_lanes, m_decoder, models + ColourState::kBytes + number * SymbolModel::words(256), 256);
            const int clamped = predicted < 0 ? 0 : predicted > 255 ? 255 : predicted;
            return static_cast<int>((static_cast<std::uint32_t>(clamped) + difference) & 255u);
        };
        int byte[6]; // low and high bytes of red, green, blue
        byte[0] = byteOf(0, lastByte(0));
        byte[1] = byteOf(1, lastByte(1));
        if ((changed & 64u) == 0) { // the colour is grey
            byte[2] = byte[4] = byte[0];
            byte[3] = byte[5] = byte[1];
        } else {
            for (std::uint32_t half = 0; half < 2; ++half) { // decodes the low bytes, then the high bytes
                const int red = byte[half] - lastByte(half);
                byte[2 + half] = byteOf(2 + half, red + lastByte(2 + half));
                const int green = byte[2 + half] - lastByte(2 + half);
                byte[4 + half] = byteOf(4 + half, (red + green) / 2 + lastByte(4 + half));
            }
        }
        Colour colour{};
        for (int i = 0; i < 3; ++i)
            colour.rgb[i] = static_cast<std::uint32_t>(byte[2 * i] | byte[2 * i + 1] << 8);
        store(from, colour);
        return colour;
    }

private:
    HD Colour load(std::uint32_t channel) const {
        const std::uint32_t* const latest = m_states + channel * ColourState::kWords + ColourState::kLatest;
        return {{latest[0], latest[1], latest[2]}};
    }
    HD void store(std::uint32_t channel, const Colour& colour) {
        std::uint32_t* const latest = m_states + channel * ColourState::kWords + ColourState::kLatest;
        m_lanes.sync(); // all lanes have read the words that are changed next
        m_lanes.once([&] {
            for (int i = 0; i < 3; ++i)
                latest[i] = colour.rgb[i];
        });
        m_lanes.sync();
    }

    Lanes m_lanes;
    ArithmeticDecoder m_decoder;
    std::uint32_t* m_states;
    ChannelHistory m_history;
};

/// Number of words of state of one layer other than positions: the maximum of extra bytes and colours.
inline constexpr std::uint32_t kByteStateWords = kChannels * ByteState::kWords;
inline constexpr std::uint32_t kColourStateWords = kChannels * ColourState::kWords;

} // namespace scanloupe::laz
