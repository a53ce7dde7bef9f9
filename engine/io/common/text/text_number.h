#pragma once
// Declares the parser of numbers in text.
#include <charconv>
#include <cstdint>

namespace scanloupe {

/// A number that was read from text.
struct TextNumber {
    double value = 0;
    int decimals = 0;          ///< digits after the point, less the exponent; at least 0
    const char* end = nullptr; ///< past the token; null when it is no number
    bool junk = false;         ///< characters other than letters and digits followed, and were skipped
};

inline bool isTextBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

/// Parses the number at `begin`: with sign, exponent (also of Fortran: 1.5D+00), nan, inf, and in quotes. It
/// must end at a blank, `delimiter` or `end`, except for stray characters.
TextNumber parseNumber(const char* begin, const char* end, char delimiter);

/// 2^53: from here on, doubles do not hold all integers.
constexpr double kExactInteger = 9007199254740992.0;

/// Parses all of [begin, end) as an integer, with a sign and in quotes or not; false when it is none or T
/// does not hold it.
template <class T>
bool readInteger(const char* begin, const char* end, T& value) {
    if (begin < end && *begin == '"')
        ++begin;
    if (begin < end && *begin == '+')
        ++begin;
    const auto parsed = std::from_chars(begin, end, value);
    return parsed.ec == std::errc() && (parsed.ptr == end || (*parsed.ptr == '"' && parsed.ptr + 1 == end));
}

/// True for an integer that 64 bits hold, signed or not.
inline bool isInteger64(const char* begin, const char* end) {
    std::int64_t small = 0;
    std::uint64_t large = 0;
    return readInteger(begin, end, small) || readInteger(begin, end, large);
}

/// True when rounding to single precision changes `value` by at most half a unit of its last decimal place;
/// it has `decimals` of them.
bool floatHolds(double value, int decimals);

} // namespace scanloupe
