// Decodes and encodes UTF-8 (RFC 3629).
#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Returns the length of the sequence that starts with the byte `lead`; 0 if it can't start one.
std::size_t sequenceLength(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

struct Sequence {
    char32_t codePoint = 0;
    std::size_t length = 0; ///< bytes
};

/// Returns the first sequence of `text`; nullopt if it is not UTF-8.
std::optional<Sequence> firstOf(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = sequenceLength(lead);
    if (length == 0 || length > text.size())
        return std::nullopt;
    char32_t codePoint = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80)
            return std::nullopt;
        codePoint = codePoint << 6 | (next & 0x3f);
    }
    const bool overlong = (length == 3 && codePoint < 0x800) || (length == 4 && codePoint < 0x10000);
    const bool surrogate = codePoint >= 0xd800 && codePoint < 0xe000;
    if (overlong || surrogate || codePoint > 0x10ffff)
        return std::nullopt;
    return Sequence{codePoint, length};
}

} // namespace

std::optional<std::u32string> fromUtf8(std::string_view text) {
    std::u32string codePoints;
    while (!text.empty()) {
        const auto first = firstOf(text);
        if (!first)
            return std::nullopt;
        codePoints += first->codePoint;
        text.remove_prefix(first->length);
    }
    return codePoints;
}

std::u32string utf8OrLatin1(std::string_view text) {
    if (auto codePoints = fromUtf8(text))
        return *std::move(codePoints);
    std::u32string codePoints;
    for (const char byte : text)
        codePoints += static_cast<unsigned char>(byte);
    return codePoints;
}

std::string_view withoutByteOrderMark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    text.remove_prefix(text.starts_with(mark) ? mark.size() : 0);
    return text;
}

std::string toUtf8(std::u32string_view codePoints) {
    std::string text;
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    for (const char32_t codePoint : codePoints) {
        if (codePoint < 0x80) {
            add(codePoint);
            continue;
        }
        const int more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3; // number of following bytes
        add((0xff00u >> (more + 1) & 0xffu) | codePoint >> (6 * more));
        for (int i = more - 1; i >= 0; --i)
            add(0x80u | (codePoint >> (6 * i) & 0x3fu));
    }
    return text;
}

std::string printableText(std::string_view text) {
    std::u32string codePoints = utf8OrLatin1(text);
    std::replace_if(
        codePoints.begin(), codePoints.end(), [](char32_t c) { return c < ' ' || (c >= 0x7f && c < 0xa0); },
        U' ');
    return toUtf8(codePoints);
}

std::string terminalText(std::string_view text) {
    const auto isControl = [](char32_t c) {
        return (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    };
    const auto changesDirection = [](char32_t c) {
        return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
               (c >= 0x2066 && c <= 0x2069);
    };
    std::string shown;
    while (!text.empty()) {
        const auto first = firstOf(text);
        const std::size_t length = first ? first->length : 1;
        const char32_t c = first ? first->codePoint : static_cast<unsigned char>(text[0]);
        if (!first || isControl(c))
            shown += fmt::format("\\x{:02x}", std::uint32_t(c));
        else if (changesDirection(c))
            shown += fmt::format("\\u{:04x}", std::uint32_t(c));
        else
            shown += text.substr(0, length);
        text.remove_prefix(length);
    }
    return shown;
}

std::string terminalLine(std::string_view text) {
    std::string line;
    for (const char c : text)
        line += c == '\n' || c == '\t' ? fmt::format("\\x{:02x}", int(c)) : std::string(1, c);
    return terminalText(line);
}

std::string terminalMessage(std::string_view text) {
    constexpr std::string_view indent = "\n  ";
    std::string shown;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(text.find(indent, begin), text.size());
        shown += terminalLine(text.substr(begin, end - begin));
        if (end == text.size())
            return shown;
        shown += indent;
        begin = end + indent.size();
    }
}

} // namespace scanloupe
