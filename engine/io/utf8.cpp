// Decodes and encodes UTF-8 (RFC 3629).
#include "engine/io/utf8.h"

#include <algorithm>
#include <cstddef>

namespace scanloupe {

namespace {

/// Bytes of the sequence that begins with `lead`; 0 when `lead` begins none.
std::size_t lengthFor(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

} // namespace

std::optional<std::u32string> fromUtf8(std::string_view text) {
    std::u32string signs;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lengthFor(lead);
        if (length == 0 || length > text.size() - at)
            return std::nullopt;
        char32_t sign = length == 1 ? lead : lead & (0xffu >> (length + 1));
        for (std::size_t i = 1; i < length; ++i) {
            const auto next = static_cast<unsigned char>(text[at + i]);
            if ((next & 0xc0) != 0x80)
                return std::nullopt;
            sign = sign << 6 | (next & 0x3f);
        }
        const bool overlong = (length == 3 && sign < 0x800) || (length == 4 && sign < 0x10000);
        const bool surrogate = sign >= 0xd800 && sign < 0xe000;
        if (overlong || surrogate || sign > 0x10ffff)
            return std::nullopt;
        signs += sign;
        at += length;
    }
    return signs;
}

std::u32string utf8OrLatin1(std::string_view text) {
    if (auto signs = fromUtf8(text))
        return *std::move(signs);
    std::u32string signs;
    for (const char byte : text)
        signs += static_cast<unsigned char>(byte);
    return signs;
}

std::string toUtf8(std::u32string_view signs) {
    std::string text;
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    for (const char32_t sign : signs) {
        if (sign < 0x80) {
            add(sign);
            continue;
        }
        const int more = sign < 0x800 ? 1 : sign < 0x10000 ? 2 : 3; // bytes that follow
        add((0xff00u >> (more + 1) & 0xffu) | sign >> (6 * more));
        for (int i = more - 1; i >= 0; --i)
            add(0x80u | (sign >> (6 * i) & 0x3fu));
    }
    return text;
}

std::string printableText(std::string_view text) {
    std::u32string signs = utf8OrLatin1(text);
    std::replace_if(
        signs.begin(), signs.end(), [](char32_t c) { return c < ' ' || (c >= 0x7f && c < 0xa0); }, U' ');
    return toUtf8(signs);
}

} // namespace scanloupe
