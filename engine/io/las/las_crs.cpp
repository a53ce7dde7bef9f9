// Reads the coordinate reference system of a LAS file, from its WKT or GeoTIFF VLRs, as text.
#include "engine/io/common/little_endian.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/las/las_header.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 20;
constexpr char kProjectionUserId[] = "LASF_Projection";

std::vector<std::byte> contentOf(const InputFile& file, const LasVlrHeader* record) {
    if (!record)
        return {};
    std::vector<std::byte> content(static_cast<std::size_t>(std::min(record->length, kMaxTextBytes)));
    file.read(record->offset, content);
    return content;
}

std::string plainText(const std::vector<std::byte>& bytes, std::size_t first, std::size_t count) {
    if (first >= bytes.size())
        return {};
    return printableText(loadText(bytes.data() + first, std::min(count, bytes.size() - first)));
}

const char* keyName(int key) {
    switch (key) { // GeoTIFF 1.0, section 6.2
    case 1024:
        return "model type";
    case 1025:
        return "raster type";
    case 1026:
        return "citation";
    case 2048:
        return "geographic system EPSG";
    case 2049:
        return "geographic citation";
    case 2050:
        return "datum";
    case 2054:
        return "angular units";
    case 3072:
        return "projected system EPSG";
    case 3073:
        return "projected citation";
    case 3074:
        return "projection";
    case 3076:
        return "linear units";
    case 4096:
        return "vertical system EPSG";
    case 4097:
        return "vertical citation";
    case 4098:
        return "vertical datum";
    case 4099:
        return "vertical units";
    default:
        return nullptr;
    }
}

/// Formats the GeoTIFF keys as "name value; ...". Keys that refer beyond their tables are left out.
std::string geoTiffText(const InputFile& file, const LasHeader& header) {
    const auto keys = contentOf(file, header.findVlr(kProjectionUserId, 34735));
    if (keys.size() < 8)
        return {};
    const auto doubles = contentOf(file, header.findVlr(kProjectionUserId, 34736));
    const auto texts = contentOf(file, header.findVlr(kProjectionUserId, 34737));
    const auto word = [&](std::size_t i) { return loadLittle<std::uint16_t>(keys.data() + 2 * i); };
    const std::size_t count = std::min<std::size_t>(word(3), keys.size() / 8 - 1);
    std::string all;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = 4 * (k + 1);
        const int key = word(at), place = word(at + 1);
        const std::size_t length = word(at + 2), value = word(at + 3);
        std::string text;
        if (place == 0)
            text = fmt::format("{}", value);
        else if (place == 34737)
            text = plainText(texts, value, length);
        else if (place == 34736 && 8 * (value + 1) <= doubles.size())
            text = fmt::format("{}", loadLittle<double>(doubles.data() + 8 * value));
        while (!text.empty() && (text.back() == '|' || text.back() == ' '))
            text.pop_back();
        if (text.empty())
            continue;
        const char* name = keyName(key);
        all +=
            fmt::format("{}{} {}", all.empty() ? "" : "; ", name ? name : fmt::format("key {}", key), text);
    }
    return all;
}

} // namespace

std::string readLasCrs(const InputFile& file, const LasHeader& header) {
    const auto wkt = contentOf(file, header.findVlr(kProjectionUserId, 2112));
    const std::string text = plainText(wkt, 0, wkt.size());
    return text.empty() ? geoTiffText(file, header) : text;
}

} // namespace scanloupe
