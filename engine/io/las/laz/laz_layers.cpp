// Determines the layers that contain fields of point records (LAZ specification 1.4 R1, sections 9 to 12).
#include "engine/io/las/laz/laz_layers.h"

#include "engine/io/las/laz/laszip_point.h"

namespace scanloupe {

namespace {

/// Returns the LASzip flag of the layer that contains the byte at offset `place` of a record; 0 if the layer
/// is always decompressed.
std::uint32_t layerOf(const detail::LasFieldOffsets& offsets, std::size_t place) {
    struct Part {
        std::size_t end; ///< offset after the last byte of the part
        std::uint32_t layer;
    };
    constexpr Part parts[] = {{8, 0}, // x, y, the returns and the scanner channel are always decompressed
                              {12, laszip_DECOMPRESS_SELECTIVE_Z},
                              {14, laszip_DECOMPRESS_SELECTIVE_INTENSITY},
                              {15, 0},
                              {16, laszip_DECOMPRESS_SELECTIVE_FLAGS},
                              {17, laszip_DECOMPRESS_SELECTIVE_CLASSIFICATION},
                              {18, laszip_DECOMPRESS_SELECTIVE_USER_DATA},
                              {20, laszip_DECOMPRESS_SELECTIVE_SCAN_ANGLE},
                              {22, laszip_DECOMPRESS_SELECTIVE_POINT_SOURCE}};
    for (const Part& part : parts)
        if (place < part.end)
            return part.layer;
    if (place >= offsets.extra) { // LASzip selects the first 16 extra bytes individually, and always
                                  // decompresses the others
        const std::size_t byte = place - offsets.extra;
        return byte < 16 ? std::uint32_t{laszip_DECOMPRESS_SELECTIVE_BYTE0} << byte : 0;
    }
    if (offsets.wave && place >= offsets.wave)
        return laszip_DECOMPRESS_SELECTIVE_WAVEPACKET;
    if (offsets.colour && place >= offsets.colour)
        return place < offsets.colour + 6 ? laszip_DECOMPRESS_SELECTIVE_RGB : laszip_DECOMPRESS_SELECTIVE_NIR;
    return laszip_DECOMPRESS_SELECTIVE_GPS_TIME;
}

} // namespace

LazLayers lazLayers(const LasLayout& layout, int pointFormat, std::span<const ColumnTarget> targets,
                    bool opaque) {
    const auto offsets = detail::lasFieldOffsets(pointFormat, layout.recordLength);
    std::uint32_t layers = 0;
    const auto add = [&](std::size_t place, std::size_t size) {
        for (std::size_t byte = 0; byte < size; ++byte)
            layers |= layerOf(offsets, place + byte);
    };
    for (std::size_t f = 0; f < layout.columns.size(); ++f) {
        const LasColumn& column = layout.columns[f];
        if (targets[f].data)
            add(column.byteOffset, column.kind == LasColumn::Kind::bits     ? 1
                                   : column.kind == LasColumn::Kind::scaled ? sizeOf(column.stored)
                                                                            : sizeOf(column.type));
    }
    if (opaque)
        for (const LasByteRange& range : layout.opaque)
            add(range.byteOffset, range.size);
    return LazLayers{layers};
}

bool isWanted(std::size_t layer, int pointFormat, LazLayers layers) {
    std::vector<std::uint32_t> order{0,
                                     laszip_DECOMPRESS_SELECTIVE_Z,
                                     laszip_DECOMPRESS_SELECTIVE_CLASSIFICATION,
                                     laszip_DECOMPRESS_SELECTIVE_FLAGS,
                                     laszip_DECOMPRESS_SELECTIVE_INTENSITY,
                                     laszip_DECOMPRESS_SELECTIVE_SCAN_ANGLE,
                                     laszip_DECOMPRESS_SELECTIVE_USER_DATA,
                                     laszip_DECOMPRESS_SELECTIVE_POINT_SOURCE,
                                     laszip_DECOMPRESS_SELECTIVE_GPS_TIME};
    if (pointFormat == 7 || pointFormat == 8 || pointFormat == 10)
        order.push_back(laszip_DECOMPRESS_SELECTIVE_RGB);
    if (pointFormat == 8 || pointFormat == 10)
        order.push_back(laszip_DECOMPRESS_SELECTIVE_NIR);
    if (pointFormat >= 9)
        order.push_back(laszip_DECOMPRESS_SELECTIVE_WAVEPACKET);
    for (int byte = 0; byte < 16; ++byte)
        order.push_back(std::uint32_t{laszip_DECOMPRESS_SELECTIVE_BYTE0} << byte);
    const std::uint32_t bit = layer < order.size() ? order[layer] : 0;
    return bit == 0 || (bit & static_cast<std::uint32_t>(layers)) != 0;
}

} // namespace scanloupe
