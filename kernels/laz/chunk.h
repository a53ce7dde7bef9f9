#pragma once
// Defines the compressed layers of LAZ chunks of point formats 6 to 10, and the records that are decoded from
// them (LAZ specification 1.4 R1, sections 9 to 12).
#include "kernels/core/hd.h"

#include <cstddef>
#include <cstdint>

namespace scanloupe::laz {

/// Number of scanner channels that a file distinguishes. Each has separate models.
inline constexpr std::uint32_t kChannels = 4;

/// The bytes of an arithmetic code, as words of the machine; the last one is padded with zeros.
struct ByteStream {
    const std::uint32_t* words = nullptr; ///< [(bytes + 3) / 4]
    std::uint32_t bytes = 0;
};

/// The position of a layer in an array of words. A layer without bytes does not change in the chunk.
struct LayerPlace {
    std::uint64_t word = 0;
    std::uint32_t bytes = 0;

    HD ByteStream in(const std::uint32_t* words) const { return {words + word, bytes}; }
    HD std::uint32_t wordCount() const { return bytes / 4 + (bytes % 4 != 0 ? 1 : 0); }
};

/// A chunk: its layers, and its first point, which is not compressed.
struct LayeredChunk {
    LayerPlace xy, z, colour;
    std::uint64_t firstPoint = 0; ///< the first row of its decoded records
    std::uint32_t count = 0;      ///< points
    std::int32_t xyz[3] = {};     ///< position of the first point
    std::uint16_t rgb[3] = {};    ///< colour of the first point
    std::uint8_t returns = 0;     ///< byte of the record: return number, number of returns << 4
    std::uint8_t channel = 0;     ///< scanner channel, 0 to 3
};

/// The layer of one extra byte of a chunk.
struct ByteLayerPlace {
    LayerPlace place;
    std::uint8_t first = 0; ///< value of the first point
};

/// The content of a decoded record: x, y, z as int32; red, green, blue as uint16, if requested; extra bytes;
/// the scanner channel.
struct RecordShape {
    bool hasColour = false;
    std::uint32_t extraBytes = 0;

    static constexpr std::uint32_t kColour = 12; ///< offset
    HD std::uint32_t extraOffset() const { return kColour + (hasColour ? 6 : 0); }
    HD std::uint32_t channelOffset() const { return extraOffset() + extraBytes; }
    HD std::uint32_t size() const { return channelOffset() / 4 * 4 + 4; } ///< bytes, whole words
    /// Number of layers in addition to those of positions.
    HD std::uint32_t otherLayers() const { return extraBytes + (hasColour ? 1 : 0); }
};

} // namespace scanloupe::laz
