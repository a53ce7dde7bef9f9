#pragma once
// Decodes chunks of LAZ into records, on host and device: positions first, since their layer contains the
// scanner channel, which selects the models of the other layers.
#include "kernels/laz/positions.h"
#include "kernels/laz/values.h"

namespace scanloupe::laz {

/// The records of a chunk, and a flag that ends its decoding early.
struct ChunkRecords {
    std::byte* records = nullptr; ///< [count, shape.size()] bytes, aligned to words
    RecordShape shape;
    const volatile std::uint32_t* stopFlag = nullptr; ///< a value other than 0 requests a stop; null: never
                                                      ///< stop

    HD bool isStopped() const { return stopFlag && *stopFlag != 0; }
    HD std::byte* record(std::uint32_t i) const { return records + std::uint64_t{i} * shape.size(); }
    HD std::uint32_t channel(std::uint32_t i) const {
        return static_cast<std::uint32_t>(record(i)[shape.channelOffset()]) %
               kChannels; // the channel is arbitrary if decoding was stopped
    }
    /// Returns the channel whose models the other layers use for point i > 0. LASzip passes a point's channel
    /// to these layers only if it differs from the previous point's channel, otherwise 0 (version 3 of the
    /// encoding).
    HD std::uint32_t context(std::uint32_t i) const { return channel(i) != channel(i - 1) ? channel(i) : 0; }
    HD void put(std::uint32_t i, std::int32_t x, std::int32_t y, std::int32_t z,
                std::uint32_t channel) const {
        auto* const xyz = reinterpret_cast<std::int32_t*>(record(i));
        xyz[0] = x;
        xyz[1] = y;
        xyz[2] = z;
        record(i)[shape.channelOffset()] = static_cast<std::byte>(channel);
    }
    HD void putColour(std::uint32_t i, const std::uint32_t* rgb) const { // `rgb` has three values of 16 bits
        auto* const colour = reinterpret_cast<std::uint16_t*>(record(i) + RecordShape::kColour);
        for (int k = 0; k < 3; ++k)
            colour[k] = static_cast<std::uint16_t>(rgb[k]);
    }
    HD void putByte(std::uint32_t i, std::uint32_t number, std::uint8_t value) const {
        record(i)[shape.extraOffset() + number] = static_cast<std::byte>(value);
    }
};

/// Calls `next(i)` for the points of a chunk after the first. @returns false if decoding was stopped
template <class Lanes, class Next>
HD bool forPointsBehindFirst(const Lanes& lanes, std::uint32_t count, const ChunkRecords& out,
                             const Next& next) {
    for (std::uint32_t i = 1; i < count; ++i) {
        if (i % kStopInterval == 1 && isStopped(lanes, out))
            return false;
        next(i);
    }
    return true;
}

/// Decodes extra byte `number` of a chunk whose positions have been decoded.
/// @param state [kByteStateWords] words, all 0 @returns false if the layer is damaged
template <class Lanes>
HD bool decodeByteLayer(const Lanes& lanes, const LayeredChunk& chunk, const ByteLayerPlace& layer,
                        std::uint32_t number, const std::uint32_t* words, std::uint32_t* state,
                        const ChunkRecords& out) {
    if (layer.place.bytes == 0) {
        lanes.forEach([&](std::uint32_t lane) {
            for (std::uint32_t i = lane; i < chunk.count; i += Lanes::kCount)
                out.putByte(i, number, layer.first);
        });
        return true;
    }
    ByteLayer<Lanes> bytes(lanes, layer, chunk.channel % kChannels, words, state);
    lanes.once([&] { out.putByte(0, number, layer.first); });
    const bool isWhole = forPointsBehindFirst(lanes, chunk.count, out, [&](std::uint32_t i) {
        const std::uint8_t value = bytes.next(out.context(i));
        lanes.once([&] { out.putByte(i, number, value); });
    });
    return isWhole && (chunk.count <= 1 || !bytes.isDamaged());
}

/// Decodes the colours of a chunk whose positions have been decoded.
/// @param state [kColourStateWords] words, all 0 @returns false if the layer is damaged
template <class Lanes>
HD bool decodeColourLayer(const Lanes& lanes, const LayeredChunk& chunk, const std::uint32_t* words,
                          std::uint32_t* state, const ChunkRecords& out) {
    const std::uint32_t first[3] = {chunk.rgb[0], chunk.rgb[1], chunk.rgb[2]};
    if (chunk.colour.bytes == 0) {
        lanes.forEach([&](std::uint32_t lane) {
            for (std::uint32_t i = lane; i < chunk.count; i += Lanes::kCount)
                out.putColour(i, first);
        });
        return true;
    }
    ColourLayer<Lanes> colours(lanes, chunk, words, state);
    lanes.once([&] { out.putColour(0, first); });
    const bool isWhole = forPointsBehindFirst(lanes, chunk.count, out, [&](std::uint32_t i) {
        const auto colour = colours.next(out.context(i));
        lanes.once([&] { out.putColour(i, colour.rgb); });
    });
    return isWhole && (chunk.count <= 1 || !colours.isDamaged());
}

} // namespace scanloupe::laz
