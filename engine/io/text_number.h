#pragma once
// Numbers in text.
#include <charconv>
#include <cstdint>

namespace scanloupe {

/// A number that was read from text.
struct TextNumber {
    double value = 0;
    int decimals = 0;          ///< digits after the point, less the exponent; at least 0
    const char* end = nullptr; ///< past the token; null when it is no number
    bool junk = false;         ///< signs that are neither letters nor digits followed, and were passed over
};

inline bool isTextBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

/// Reads the number at `begin`: with sign, exponent, nan, inf, and in quotes; it must end at a blank,
/// `delimiter` or `end`, but for stray signs.
TextNumber parseNumber(const char* begin, const char* end, char delimiter);

/// The doubles from here on (2^53) do not hold all whole numbers.
constexpr double kExactInteger = 9007199254740992.0;

/// Reads the whole number that all of [begin, end) is, with a sign and in quotes or not; false when it is
/// none or T does not hold it.
template <class T>
bool readInteger(const char* begin, const char* end, T& value) {
    if (begin < end && *begin == '"')
        ++begin;
    if (begin < end && *begin == '+')
        ++begin;
    const auto parsed = std::from_chars(begin, end, value);
    return parsed.ec == std::errc() && (parsed.ptr == end || (*parsed.ptr == '"' && parsed.ptr + 1 == end));
}

/// True for a whole number that 64 bits hold, signed or not.
inline bool isInteger64(const char* begin, const char* end) {
    std::int64_t small = 0;
    std::uint64_t large = 0;
    return readInteger(begin, end, small) || readInteger(begin, end, large);
}

/// True when single precision holds `value` as exactly as its `decimals` digits after the point say it.
bool floatHolds(double value, int decimals);

} // namespace scanloupe
