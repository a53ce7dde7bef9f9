// Parses rows of Wavefront OBJ.
#include "engine/io/obj/obj_rows.h"

#include <charconv>

namespace scanloupe {

namespace {

const char* skipBlanks(const char* p, const char* end) {
    while (p < end && isTextBlank(*p))
        ++p;
    return p;
}

const char* wordEnd(const char* p, const char* end) {
    while (p < end && !isTextBlank(*p))
        ++p;
    return p;
}

} // namespace

ObjKeyword parseObjKeyword(const char*& p, const char* end) {
    const char* const word = skipBlanks(p, end);
    p = wordEnd(word, end);
    const std::string_view keyword(word, static_cast<std::size_t>(p - word));
    if (keyword == "v")
        return ObjKeyword::vertex;
    if (keyword == "vn")
        return ObjKeyword::normal;
    return keyword == "f" || keyword == "fo" ? ObjKeyword::face : ObjKeyword::other;
}

std::size_t parseObjNumbers(const char* p, const char* end, TextNumber* numbers, std::size_t maxCount) {
    std::size_t count = 0;
    for (p = skipBlanks(p, end); p < end && count < maxCount; p = skipBlanks(p, end)) {
        numbers[count] = parseNumber(p, end, ' ');
        if (!numbers[count].end)
            break;
        p = numbers[count++].end;
    }
    return count;
}

void ObjNormalCheck::add(const char* p, const char* end, std::int64_t vertices, std::int64_t normals) {
    for (p = skipBlanks(p, end); p < end && !inconsistent; p = skipBlanks(p, end)) {
        const char* const corner = wordEnd(p, end);
        const std::string_view word(p, static_cast<std::size_t>(corner - p)); // v, v/t, v//n or v/t/n
        p = corner;
        const auto first = word.find('/'), second = word.find('/', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos)
            continue;
        std::int64_t vertex = 0, normal = 0;
        std::from_chars(word.data(), word.data() + first, vertex);
        std::from_chars(word.data() + second + 1, word.data() + word.size(), normal);
        if (vertex < 0 && normal < 0) {
            // in unsigned arithmetic, since indices of damaged files may differ by more than 2^63
            const auto difference = static_cast<std::int64_t>(
                (static_cast<std::uint64_t>(vertices) + static_cast<std::uint64_t>(vertex)) -
                (static_cast<std::uint64_t>(normals) + static_cast<std::uint64_t>(normal)));
            inconsistent = normalOffset.value_or(difference) != difference;
            normalOffset = difference;
        } else {
            inconsistent = vertex != normal;
        }
    }
}

} // namespace scanloupe
