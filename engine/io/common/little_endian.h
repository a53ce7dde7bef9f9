#pragma once
// Declares loading and storing of little-endian numbers and fixed-length text, for hosts of any byte order.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace scanloupe {

/// Loads a little-endian number of type T.
template <class T>
T loadLittle(const std::byte* from) {
    static_assert(std::is_arithmetic_v<T>);
    std::byte bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = from[std::endian::native == std::endian::little ? i : sizeof(T) - 1 - i];
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// Stores `value` in little-endian byte order.
template <class T>
void storeLittle(std::byte* to, T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i)
        to[i] = bytes[std::endian::native == std::endian::little ? i : sizeof(T) - 1 - i];
}

/// Loads text of at most `length` characters up to its terminating zero, without trailing blanks.
inline std::string loadText(const std::byte* from, std::size_t length) {
    std::string text(reinterpret_cast<const char*>(from), length);
    text.resize(text.find('\0') == std::string::npos ? length : text.find('\0'));
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

/// Stores at most `length` characters of a text, without a terminating zero.
inline void storeText(std::byte* to, std::string_view text, std::size_t length) {
    std::memcpy(to, text.data(), std::min(text.size(), length));
}

} // namespace scanloupe
