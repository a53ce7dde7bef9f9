#pragma once
// Declares the parser of numbers in text.
#include <charconv>
#include <cstdint>

namespace scanloupe {

/// A number parsed from text.
struct TextNumber {
    double value = 0;
    int decimals = 0;          ///< digits after the decimal point minus the exponent; at least 0
    const char* end = nullptr; ///< position after the token; null if it is not a number
    bool junk = false;         ///< whether characters other than letters and digits followed and were skipped
};

inline bool isTextBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

/// Parses the number at `begin`. It may have a sign, an exponent (also that of Fortran: 1.5D+00) and quotes,
/// or be nan or inf. It must end at a blank, `delimiter` or `end`, except for stray characters.
TextNumber parseNumber(const char* begin, const char* end, char delimiter);

/// 2^53; doubles do not represent all larger integers.
constexpr double kExactInteger = 9007199254740992.0;

/// Parses all of [begin, end) as an integer, with optional sign and quotes. Returns false if it is not an
/// integer, or out of the range of T.
template <class T>
bool readInteger(const char* begin, const char* end, T& value) {
    if (begin < end && *begin == '"')
        ++begin;
    if (begin < end && *begin == '+')
        ++begin;
    const auto parsed = std::from_chars(begin, end, value);
    return parsed.ec == std::errc() && (parsed.ptr == end || (*parsed.ptr == '"' && parsed.ptr + 1 == end));
}

/// Whether the text is an integer that fits into 64 bits, signed or unsigned.
inline bool isInteger64(const char* begin, const char* end) {
    std::int64_t small = 0;
    std::uint64_t large = 0;
    return readInteger(begin, end, small) || readInteger(begin, end, large);
}

/// Whether rounding `value` to single precision changes it by at most half a unit of its last decimal place.
/// @param decimals number of decimal places
bool floatHolds(double value, int decimals);

} // namespace scanloupe
