// Builds the header of NumPy's .npy format, and the Python literals in it.
#include "engine/io/numpy_head.h"

#include "engine/io/utf8.h"
#include "engine/io/write_pieces.h"

#include <cstdint>
#include <fmt/format.h>

namespace scanloupe {

std::string numpyHead(std::string_view fields, std::size_t rows) {
    std::string dictionary =
        fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", fields, rows);
    constexpr std::size_t before = 12, alignment = 64;
    const std::size_t whole = (before + dictionary.size() + 1 + alignment - 1) / alignment * alignment;
    dictionary.resize(whole - before - 1, ' ');
    dictionary.push_back('\n');
    std::string head("\x93NUMPY\x02\x00", 8);
    appendRaw(head, static_cast<std::uint32_t>(dictionary.size()));
    return head + dictionary;
}

std::string pythonLiteral(std::string_view text) {
    std::string literal = "'";
    for (const char32_t sign : utf8OrLatin1(text)) {
        if (sign == U'\'' || sign == U'\\')
            literal += {'\\', static_cast<char>(sign)};
        else if (sign >= U' ' && sign <= U'~')
            literal += static_cast<char>(sign);
        else if (sign <= 0xff)
            literal += fmt::format("\\x{:02x}", std::uint32_t{sign});
        else if (sign <= 0xffff)
            literal += fmt::format("\\u{:04x}", std::uint32_t{sign});
        else
            literal += fmt::format("\\U{:08x}", std::uint32_t{sign});
    }
    return literal + "'";
}

} // namespace scanloupe
