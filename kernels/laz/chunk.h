#pragma once
// Defines the compressed layers of LAZ chunks of point formats 6 to 10, and the records that are decoded from
// them (LAZ specification 1.4 R1, sections 9 to 12).
#include "kernels/core/hd.h"

#include <cstddef>
#include <cstdint>

namespace scanloupe::laz {

/// Number of scanner channels in a file. Each channel has its own models.
inline constexpr std::uint32_t kChannels = 4;

/// The bytes of an arithmetic code, as words in the machine's byte order; the last word is padded with zeros.
struct ByteStream {
    const std::uint32_t* words = nullptr; ///< [(bytes + 3) / 4] words
    std::uint32_t bytes = 0;
};

/// Position of a layer in an array of words. A layer without bytes means that its values do not change in the
/// chunk.
struct LayerPlace {
    std::uint64_t word = 0;
    std::uint32_t bytes = 0;

    HD ByteStream in(const std::uint32_t* words) const { return {words + word, bytes}; }
    HD std::uint32_t wordCount() const { return bytes / 4 + (bytes % 4 != 0 ? 1 : 0); }
};

/// A chunk: positions of its layers, and its first point, which is not compressed.
struct LayeredChunk {
    LayerPlace xy, z, colour;
    std::uint64_t firstPoint = 0; ///< index of the row of its first decoded record
    std::uint32_t count = 0;      ///< number of points
    std::int32_t xyz[3] = {};     ///< position of the first point
    std::uint16_t rgb[3] = {};    ///< colour of the first point
    std::uint8_t returns = 0;     ///< byte of the record: return number, and number of returns << 4
    std::uint8_t channel = 0;     ///< scanner channel, 0 to 3
};

/// Layer of one extra byte in a chunk.
struct ByteLayerPlace {
    LayerPlace place;
    std::uint8_t first = 0; ///< value of the first point
};

/// Layout of a decoded record: x, y, z as int32; red, green, blue as uint16, if requested; extra bytes;
/// scanner channel.
struct RecordShape {
    bool hasColour = false;
    std::uint32_t extraBytes = 0;

    static constexpr std::uint32_t kColour = 12; ///< offset of the colour in bytes
    HD std::uint32_t extraOffset() const { return kColour + (hasColour ? 6 : 0); }
    HD std::uint32_t channelOffset() const { return extraOffset() + extraBytes; }
    /// Returns the size of a record in bytes, a multiple of 4.
    HD std::uint32_t size() const { return channelOffset() / 4 * 4 + 4; }
    /// Returns the number of layers in addition to the two layers of positions.
    HD std::uint32_t otherLayers() const { return extraBytes + (hasColour ? 1 : 0); }
};

} // namespace scanloupe::laz
