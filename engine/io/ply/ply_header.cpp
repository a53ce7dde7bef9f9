// Parses the header of PLY files (Turk, "The PLY Polygon File Format", 1994).
#include "engine/io/ply/ply_header.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

namespace scanloupe {

namespace {

constexpr std::size_t kHeaderLimit = std::size_t{1} << 20;
constexpr std::size_t kMaxProperties = 1024;

[[noreturn]] void refuse(const InputFile& file, const std::string& what) {
    throw EngineError("the PLY header of '" + file.name() + "' " + what,
                      "The file is damaged or was written incorrectly. Export it again.");
}

ScalarType typeOf(const InputFile& file, const std::string& word) {
    static const std::map<std::string, ScalarType> table = {
        {"char", ScalarType::int8},       {"int8", ScalarType::int8},       {"uchar", ScalarType::uint8},
        {"uint8", ScalarType::uint8},     {"short", ScalarType::int16},     {"int16", ScalarType::int16},
        {"ushort", ScalarType::uint16},   {"uint16", ScalarType::uint16},   {"int", ScalarType::int32},
        {"int32", ScalarType::int32},     {"uint", ScalarType::uint32},     {"uint32", ScalarType::uint32},
        {"float", ScalarType::float32},   {"float32", ScalarType::float32}, {"double", ScalarType::float64},
        {"float64", ScalarType::float64}, {"int64", ScalarType::int64},     {"uint64", ScalarType::uint64}};
    const auto found = table.find(word);
    if (found == table.end())
        refuse(file, "has the unsupported number type '" + word.substr(0, 40) + "'");
    return found->second;
}

PlyElement parseElement(const InputFile& file, std::istringstream& words) {
    PlyElement element;
    std::string count;
    words >> element.name >> count;
    const auto parsed = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (count.empty() || parsed.ec != std::errc() || parsed.ptr != count.data() + count.size())
        refuse(file, "has an invalid count of the element '" + element.name + "': '" + count + "'");
    return element;
}

PlyProperty parseProperty(const InputFile& file, std::istringstream& words) {
    PlyProperty property;
    std::string type;
    words >> type;
    if (type == "list") {
        std::string count, value;
        words >> count >> value;
        property.list = true;
        property.countType = typeOf(file, count);
        property.type = typeOf(file, value);
        if (property.countType >= ScalarType::float32)
            refuse(file, "has a list whose length has the floating-point type '" + count + "'");
    } else {
        property.type = typeOf(file, type);
    }
    std::getline(words >> std::ws, property.name);
    while (!property.name.empty() && isspace(static_cast<unsigned char>(property.name.back())))
        property.name.pop_back();
    if (property.name.empty())
        refuse(file, "has a property of the type '" + type + "' without a name");
    return property;
}

void parseFormat(const InputFile& file, std::istringstream& words, PlyHeader& header) {
    std::string encoding, version;
    words >> encoding >> version;
    if (encoding == "ascii")
        header.encoding = PlyHeader::Encoding::ascii;
    else if (encoding == "binary_little_endian")
        header.encoding = PlyHeader::Encoding::littleEndian;
    else if (encoding == "binary_big_endian")
        header.encoding = PlyHeader::Encoding::bigEndian;
    else
        refuse(file, "has the unsupported format '" + encoding.substr(0, 40) + "'");
    header.format = "PLY " + encoding + " " + version;
}

} // namespace

bool PlyElement::hasLists() const {
    return std::any_of(properties.begin(), properties.end(),
                       [](const PlyProperty& property) { return property.list; });
}

std::uint64_t PlyElement::minBytes() const {
    std::uint64_t bytes = 0;
    for (const auto& property : properties)
        bytes += sizeOf(property.list ? property.countType : property.type);
    return bytes;
}

PlyHeader readPlyHeader(const InputFile& file) {
    const std::string head = file.head(kHeaderLimit);
    PlyHeader header;
    const std::size_t firstEnd = head.find_first_of("\r\n");
    if (firstEnd != std::string::npos && head[firstEnd] == '\r' && head.compare(firstEnd, 2, "\r\n") != 0)
        header.newline = '\r';
    bool format = false;
    std::size_t properties = 0;
    for (std::size_t at = head.size() - withoutByteOrderMark(head).size(); at < head.size();) {
        const std::size_t end = head.find(header.newline, at);
        const std::size_t lineEnd = std::min(end, head.size());
        std::istringstream words(head.substr(at, lineEnd - at));
        at = lineEnd + 1;
        std::string keyword;
        words >> keyword;
        if (keyword == "end_header") {
            if (!format)
                refuse(file, "has no line 'format'");
            header.bodyOffset = std::min<std::uint64_t>(at, file.size());
            return header;
        }
        if (end == std::string::npos)
            break; // the file ends within a line
        if (keyword == "format") {
            parseFormat(file, words, header);
            format = true;
        } else if (keyword == "element") {
            header.elements.push_back(parseElement(file, words));
        } else if (keyword == "property") {
            if (header.elements.empty())
                refuse(file, "has a property before its first element");
            if (++properties > kMaxProperties)
                refuse(file, "has more than the maximum of 1024 properties");
            header.elements.back().properties.push_back(parseProperty(file, words));
        } else if (keyword == "comment" || keyword == "obj_info") {
            std::string text;
            std::getline(words >> std::ws, text);
            header.comments.push_back(text);
        } else if (!keyword.empty() && keyword != "ply") {
            refuse(file, "has an unknown keyword: '" + keyword.substr(0, 40) + "'");
        }
    }
    refuse(file, "has no line 'end_header' in its first " + std::to_string(head.size()) + " bytes");
}

} // namespace scanloupe
