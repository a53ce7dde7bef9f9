// Parses the header of OFF files (Geomview's manual, "OFF Files").
#include "engine/io/off/off_header.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/text/text_tokens.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

[[noreturn]] void refuse(const InputFile& file, const std::string& what, const std::string& nextStep) {
    throw EngineError("the OFF file '" + file.name() + "' " + what, nextStep);
}

/// The flags in the keyword of the header, [ST][C][N][4][n]OFF, and the text after the keyword.
struct Keyword {
    bool texture = false, colours = false, normals = false, homogeneous = false, anyDimension = false;
    std::string_view rest;
};

bool parseKeyword(std::string_view text, Keyword& keyword) {
    const auto consume = [&](std::string_view letters) {
        const bool present = text.starts_with(letters);
        text.remove_prefix(present ? letters.size() : 0);
        return present;
    };
    keyword.texture = consume("ST");
    keyword.colours = consume("C");
    keyword.normals = consume("N");
    keyword.homogeneous = consume("4");
    keyword.anyDimension = consume("n");
    const bool named = consume("OFF");
    // counts may follow without a separator, as in many files of the ModelNet data set: OFF490 518 0
    const bool ends = text.empty() || text[0] == '\n' || isTextBlank(text[0]) || text[0] == '#' ||
                      (text[0] >= '0' && text[0] <= '9');
    keyword.rest = text;
    return named && ends;
}

/// Appends the unsigned integers of a line, up to a comment. Returns false if the line contains any other
/// token.
bool appendCounts(std::string_view line, std::vector<std::uint64_t>& counts) {
    for (const std::string& token : splitTokens(line.substr(0, line.find('#')), ' ')) {
        if (!isCount(token))
            return false;
        counts.push_back(std::stoull(token));
    }
    return true;
}

std::uint32_t bigEndian32(const char* bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof(value));
    if constexpr (std::endian::native == std::endian::little)
        value = (value & 0xff) << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
    return value;
}

} // namespace

bool beginsOff(std::string_view head) {
    head = withoutByteOrderMark(head);
    if (head.starts_with("# vtk DataFile")) // the title of a VTK file may contain an OFF keyword
        return false;
    std::size_t at = 0;
    while (at < head.size() && (head[at] == '\n' || isTextBlank(head[at]) || head[at] == '#'))
        at = head[at] == '#' ? std::min(head.find('\n', at), head.size()) : at + 1;
    Keyword ignored;
    return parseKeyword(head.substr(at), ignored);
}

OffHeader readOffHeader(const InputFile& file) {
    const std::string head = file.head(kHeadBytes);
    OffHeader header;
    header.newline =
        head.find('\n') == std::string::npos && head.find('\r') != std::string::npos ? '\r' : '\n';
    std::vector<std::uint64_t> counts;
    bool first = true;
    const std::size_t begin = head.size() - withoutByteOrderMark(head).size();
    for (const TextLine& line : splitLines(head, begin, header.newline, true)) {
        if (line.comment)
            continue;
        std::string_view text = line.text;
        if (Keyword keyword; first && parseKeyword(text, keyword)) {
            if (keyword.homogeneous || keyword.anyDimension)
                refuse(file,
                       std::string("has the type ") + (keyword.homogeneous ? "4OFF" : "nOFF") +
                           ", whose points are not three-dimensional",
                       "Save it with only x, y and z, as plain OFF or PLY.");
            header.texture = keyword.texture;
            header.colours = keyword.colours;
            header.normals = keyword.normals;
            text = keyword.rest;
        }
        first = false;
        const std::size_t lineEnd = head.find(header.newline, line.offset);
        const std::uint64_t next = lineEnd == std::string::npos ? file.size() : lineEnd + 1;
        // a single number in the next line is the edge count, since a vertex has three numbers
        if (counts.size() == 2) {
            std::vector<std::uint64_t> edges;
            if (appendCounts(text, edges) && edges.size() == 1)
                header.bodyOffset = next;
            return header;
        }
        header.bodyOffset = next;
        if (splitTokens(text, ' ') == std::vector<std::string>{"BINARY"}) {
            header.binary = true;
            if (header.bodyOffset + 12 > head.size())
                refuse(file, fmt::format("ends within its header: it has {} bytes", file.size()),
                       "Copy or export it again.");
            header.vertices = bigEndian32(head.data() + header.bodyOffset);
            header.faces = bigEndian32(head.data() + header.bodyOffset + 4);
            header.bodyOffset += 12;
            return header;
        }
        if (!appendCounts(text, counts)) {
            counts.clear();
            break;
        }
        if (counts.size() >= 2) {
            header.vertices = counts[0];
            header.faces = counts[1];
        }
        if (counts.size() > 2)
            return header;
    }
    if (counts.size() == 2)
        return header;
    refuse(file, "has no valid numbers of vertices and faces in its header",
           "The file is damaged or of another format. Export it again.");
}

} // namespace scanloupe
