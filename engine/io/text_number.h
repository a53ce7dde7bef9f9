#pragma once
// Numbers in text.
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

/// True when single precision holds `value` as exactly as its `decimals` digits after the point say it.
bool floatHolds(double value, int decimals);

} // namespace scanloupe
