// Builds the header of NumPy's .npy format, and the Python literals in it.
#include "engine/io/npy/npy_header.h"

#include "engine/io/common/text/utf8.h"
#include "engine/io/common/write/write_pieces.h"

#include <cstdint>
#include <fmt/format.h>

namespace scanloupe {

std::string npyHeader(std::string_view type, std::span<const std::size_t> shape) {
    std::string extents;
    for (const std::size_t extent : shape)
        extents += fmt::format("{},", extent);
    std::string dictionary =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", type, extents);
    constexpr std::size_t prefix = 12, alignment = 64;
    const std::size_t paddedSize = (prefix + dictionary.size() + 1 + alignment - 1) / alignment * alignment;
    dictionary.resize(paddedSize - prefix - 1, ' ');
    dictionary.push_back('\n');
    std::string header("\x93NUMPY\x02\x00", 8);
    appendRaw(header, static_cast<std::uint32_t>(dictionary.size()));
    return header + dictionary;
}

std::string numpyType(ScalarType type) {
    return visitScalar(type, []<class T>(std::type_identity<T>) {
        const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
        return fmt::format("{}{}{}", sizeof(T) == 1 ? '|' : '<', kind, sizeof(T));
    });
}

std::string pythonLiteral(std::string_view text) {
    std::string literal = "'";
    for (const char32_t codePoint : utf8OrLatin1(text)) {
        if (codePoint == U'\'' || codePoint == U'\\')
            literal += {'\\', static_cast<char>(codePoint)};
        else if (codePoint >= U' ' && codePoint <= U'~')
            literal += static_cast<char>(codePoint);
        else if (codePoint <= 0xff)
            literal += fmt::format("\\x{:02x}", std::uint32_t{codePoint});
        else if (codePoint <= 0xffff)
            literal += fmt::format("\\u{:04x}", std::uint32_t{codePoint});
        else
            literal += fmt::format("\\U{:08x}", std::uint32_t{codePoint});
    }
    return literal + "'";
}

} // namespace scanloupe
