// Parses the header of PCD files (Point Cloud Library, "The PCD (Point Cloud Data) file format").
#include "engine/io/pcd/pcd_header.h"

#include "engine/cloud/error.h"
#include "engine/io/common/field_names.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

namespace scanloupe {

namespace {

constexpr std::size_t kHeaderLimit = std::size_t{1} << 18;
constexpr std::uint64_t kMaxPcdColumns = 4096;

[[noreturn]] void refuse(const InputFile& file, const std::string& what) {
    throw EngineError("the PCD header of '" + file.name() + "' " + what,
                      "The file is damaged or was written incorrectly. Export it again.");
}

using Lines = std::map<std::string, std::vector<std::string>>;

/// Splits the header, up to and including DATA, into the values of each line by keyword. Sets the newline and
/// the offset of the body.
Lines splitLines(const InputFile& file, PcdHeader& header) {
    const std::string head = file.head(kHeaderLimit);
    Lines lines;
    if (head.find('\n') == std::string::npos)
        header.newline = '\r';
    for (std::size_t at = 0; at < head.size();) {
        const std::size_t end = std::min(head.find(header.newline, at), head.size());
        std::istringstream words(head.substr(at, end - at));
        at = end + 1;
        std::string keyword, word;
        words >> keyword;
        if (keyword.empty() || keyword[0] == '#')
            continue;
        auto& values = lines[keyword == "COLUMNS" ? "FIELDS" : keyword];
        values.clear();
        while (words >> word)
            values.push_back(word);
        if (keyword == "DATA") {
            header.bodyOffset = std::min<std::uint64_t>(at, file.size());
            return lines;
        }
    }
    refuse(file, "has no DATA line");
}

std::uint64_t parseCount(const InputFile& file, const std::string& word, const char* line) {
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size())
        refuse(file, std::string("has '") + word.substr(0, 40) + "' instead of a number in the line " + line);
    return value;
}

std::optional<ScalarType> knownType(const std::string& kind, std::uint64_t size) {
    static const std::map<std::pair<char, std::uint64_t>, ScalarType> table = {
        {{'F', 4}, ScalarType::float32}, {{'F', 8}, ScalarType::float64}, {{'I', 1}, ScalarType::int8},
        {{'I', 2}, ScalarType::int16},   {{'I', 4}, ScalarType::int32},   {{'I', 8}, ScalarType::int64},
        {{'U', 1}, ScalarType::uint8},   {{'U', 2}, ScalarType::uint16},  {{'U', 4}, ScalarType::uint32},
        {{'U', 8}, ScalarType::uint64}};
    if (kind.size() != 1)
        return std::nullopt;
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
    const auto found =
        table.find({letter, size}); // `letter` is upper case, since some writers use lower case
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

void parseFields(const InputFile& file, const Lines& lines, PcdHeader& header) {
    const auto names = lines.find("FIELDS");
    if (names == lines.end())
        refuse(file, "has no FIELDS line");
    const auto values = [&](const char* keyword, const std::string& standard) {
        const auto found = lines.find(keyword);
        if (found == lines.end())
            return std::vector<std::string>(names->second.size(), standard);
        if (found->second.size() != names->second.size())
            refuse(file, std::string("has ") + std::to_string(found->second.size()) + " values in the line " +
                             keyword + ", but " + std::to_string(names->second.size()) + " in FIELDS");
        return found->second;
    };
    const auto sizes = values("SIZE", "4"), types = values("TYPE", "F"), counts = values("COUNT", "1");
    for (std::size_t f = 0; f < names->second.size(); ++f) {
        const std::string& name = names->second[f];
        std::uint64_t count = parseCount(file, counts[f], "COUNT");
        const std::uint64_t size = parseCount(file, sizes[f], "SIZE");
        Field field;
        field.dropped = name == "_"; // padding
        const auto type = knownType(types[f], size);
        if (!type && !field.dropped)
            refuse(file,
                   "has an unsupported number type: TYPE " + types[f] + ", SIZE " + std::to_string(size));
        if (!type &&
            header.data != PcdHeader::Data::ascii) { // padding of unsupported types becomes columns of bytes
            if (size > kMaxPcdColumns)
                refuse(file,
                       "has padding of SIZE " + std::to_string(size) + ", more than the maximum of 4096");
            count = std::min(count, kMaxPcdColumns + 1) * size;
        }
        field.type = type.value_or(ScalarType::uint8);
        if (count > kMaxPcdColumns || header.fields.size() + count > kMaxPcdColumns)
            refuse(file,
                   "has more than the maximum of 4096 columns, at the field '" + name.substr(0, 40) + "'");
        field.packed = isPackedColour(name) && count == 1 && sizeOf(field.type) == 4;
        field.hasAlpha = field.packed && tidyName(name) == "rgba";
        for (std::uint64_t i = 0; i < count; ++i) {
            field.name = count == 1 ? name : name + "_" + std::to_string(i);
            header.fields.push_back(field);
        }
        header.counts.push_back(static_cast<std::size_t>(count));
    }
}

void parseCounts(const InputFile& file, const Lines& lines, PcdHeader& header) {
    const auto first = [&](const char* keyword) -> std::optional<std::uint64_t> {
        const auto found = lines.find(keyword);
        if (found == lines.end() || found->second.empty())
            return std::nullopt;
        return parseCount(file, found->second[0], keyword);
    };
    const auto points = first("POINTS");
    header.width = first("WIDTH").value_or(points.value_or(0));
    header.height = first("HEIGHT").value_or(1);
    if (!points && !first("WIDTH"))
        refuse(file, "has neither POINTS nor WIDTH");
    if (header.height != 0 && header.width > UINT64_MAX / header.height)
        refuse(file, "has too large dimensions: WIDTH " + std::to_string(header.width) + ", HEIGHT " +
                         std::to_string(header.height));
    header.points = points.value_or(header.width * header.height);
    if (header.points != header.width * header.height)
        header.warnings.push_back("The header is inconsistent: POINTS is " + std::to_string(header.points) +
                                  ", but WIDTH times HEIGHT is " +
                                  std::to_string(header.width * header.height) + ". POINTS was used.");
}

/// Parses a VIEWPOINT: position and rotation (w x y z) of the sensor. Without a valid rotation, as in old
/// files, the rotation is the identity. Returns nullopt without a position.
std::optional<SensorPose> viewpointOf(const std::vector<std::string>& words) {
    std::vector<double> values;
    for (const std::string& word : words) {
        double value = 0;
        if (std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc() ||
            !std::isfinite(value))
            break;
        values.push_back(value);
    }
    if (values.size() < 3)
        return std::nullopt;
    SensorPose pose{{values[0], values[1], values[2]}, {}};
    if (values.size() < 7)
        return pose;
    const Quaternion q{values[4], values[5], values[6], values[3]};
    const double length = std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w));
    if (std::abs(length - 1) < kRotationTolerance)
        pose.rotation = q;
    else if (length > 0 && std::isfinite(length))
        pose.rotation = {q.x / length, q.y / length, q.z / length, q.w / length};
    return pose;
}

} // namespace

PcdHeader readPcdHeader(const InputFile& file) {
    PcdHeader header;
    const Lines lines = splitLines(file, header);
    const auto& data = lines.at("DATA");
    const std::string kind = data.empty() ? std::string() : data[0];
    if (kind == "ascii")
        header.data = PcdHeader::Data::ascii;
    else if (kind == "binary")
        header.data = PcdHeader::Data::binary;
    else if (kind == "binary_compressed")
        header.data = PcdHeader::Data::compressed;
    else
        refuse(file, "has the unsupported DATA format '" + kind.substr(0, 40) + "'");
    parseFields(file, lines, header);
    parseCounts(file, lines, header);
    const auto version = lines.find("VERSION");
    header.format =
        "PCD " + kind + " " + (version == lines.end() || version->second.empty() ? "" : version->second[0]);
    if (const auto view = lines.find("VIEWPOINT"); view != lines.end())
        header.viewpoint = viewpointOf(view->second);
    return header;
}

} // namespace scanloupe
