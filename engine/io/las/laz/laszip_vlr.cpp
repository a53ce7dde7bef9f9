// Parses and validates the LASzip VLR (LAZ specification 1.4 R1).
#include "engine/io/las/laz/laszip_vlr.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"

#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kHead = 34, kItem = 6; // sizes of the fixed part and of an item, bytes

/// An item: a group of fields that LASzip compresses together.
struct Item {
    int type, size, layers;
};
constexpr Item kPoint10{6, 20, 0}, kGpsTime{7, 8, 0}, kRgb12{8, 6, 0}, kWave13{9, 29, 0};
constexpr Item kPoint14{10, 30, 9}, kRgb14{11, 6, 1}, kRgbNir14{12, 8, 2}, kWave14{13, 29, 1};
constexpr int kBytes = 0, kBytes14 = 14;

/// Returns the items of a point format without extra bytes.
std::vector<Item> itemsOf(int format) {
    std::vector<Item> items;
    if (format < 6) {
        items.push_back(kPoint10);
        if (format != 0 && format != 2)
            items.push_back(kGpsTime);
        if (format == 2 || format == 3 || format == 5)
            items.push_back(kRgb12);
        if (format >= 4)
            items.push_back(kWave13);
    } else {
        items.push_back(kPoint14);
        if (format == 7)
            items.push_back(kRgb14);
        if (format == 8 || format == 10)
            items.push_back(kRgbNir14);
        if (format >= 9)
            items.push_back(kWave14);
    }
    return items;
}

bool versionKnown(int type, int version) {
    if (type == kWave13.type)
        return version == 1;
    if (type == kWave14.type)
        return version == 3 || version == 4;
    if (type >= kPoint14.type)
        return version >= 2 && version <= 4;
    return version == 1 || version == 2;
}

} // namespace

LaszipVlr readLaszipVlr(const InputFile& file, const LasHeader& header) {
    const auto refuse = [&](const std::string& what) {
        throw EngineError(fmt::format("the LASzip record of '{}' {}", file.name(), what),
                          "The file is damaged or uses an unsupported compression. Copy it again, or convert "
                          "it to LAS with the program that wrote it.");
    };
    const LasVlrHeader* record = header.findVlr("laszip encoded", 22204);
    if (!record)
        refuse("is missing, although its header specifies compressed points");
    if (record->length < kHead + kItem || record->length > 65535)
        refuse(fmt::format("must have {} to 65535 bytes (got {})", kHead + kItem, record->length));
    LaszipVlr vlr;
    vlr.content.resize(static_cast<std::size_t>(record->length));
    file.read(record->offset, vlr.content);
    const std::byte* bytes = vlr.content.data();
    const int compressor = loadLittle<std::uint16_t>(bytes), coder = loadLittle<std::uint16_t>(bytes + 2);
    if (compressor < 1 || compressor > 3 || coder != 0)
        refuse(fmt::format("specifies the unsupported compressor {} with coder {}", compressor, coder));
    vlr.compressor = static_cast<LaszipVlr::Compressor>(compressor);
    vlr.chunkSize = loadLittle<std::uint32_t>(bytes + 12);
    const std::size_t count = loadLittle<std::uint16_t>(bytes + 32);
    const auto expected = itemsOf(header.pointFormat);
    const std::size_t extra = header.recordLength - lasPointSize(header.pointFormat);
    if (count != expected.size() + (extra > 0 ? 1 : 0) || vlr.content.size() != kHead + kItem * count)
        refuse(fmt::format("has {} items in {} bytes, which does not match point format {}", count,
                           vlr.content.size(), header.pointFormat));
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* item = bytes + kHead + kItem * i;
        const int type = loadLittle<std::uint16_t>(item), size = loadLittle<std::uint16_t>(item + 2);
        const bool isExtra = i == expected.size();
        vlr.itemVersions.push_back(loadLittle<std::uint16_t>(item + 4));
        const int wanted = !isExtra ? expected[i].type : header.pointFormat < 6 ? kBytes : kBytes14;
        const auto wantedSize = isExtra ? static_cast<int>(extra) : expected[i].size;
        if (type != wanted || size != wantedSize || !versionKnown(type, vlr.itemVersions.back()))
            refuse(fmt::format(
                "has an item of type {}, size {} and version {}, which does not match point format {}", type,
                size, vlr.itemVersions.back(), header.pointFormat));
        vlr.layers += static_cast<std::size_t>(isExtra ? size : expected[i].layers);
    }
    if ((vlr.compressor == LaszipVlr::Compressor::layered) != (header.pointFormat >= 6))
        refuse(fmt::format("specifies the compressor {}, which does not match point format {}", compressor,
                           header.pointFormat));
    if (vlr.chunkSize == 0) // LASzip treats 0 as missing; its default is variable chunks
        vlr.chunkSize = LaszipVlr::kVariable;
    return vlr;
}

} // namespace scanloupe
