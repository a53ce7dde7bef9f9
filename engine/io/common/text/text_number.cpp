// Parses numbers in text.
#include "engine/io/common/text/text_number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

namespace scanloupe {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Returns the number of decimal places in [begin, end): digits after the decimal point minus the exponent;
/// at least 0.
int countDecimals(const char* begin, const char* end) {
    const char* p = begin;
    while (p < end && (isDigit(*p) || *p == '-'))
        ++p;
    int decimals = 0;
    if (p < end && *p == '.') {
        const char* first = ++p;
        while (p < end && isDigit(*p))
            ++p;
        decimals = static_cast<int>(std::min<std::ptrdiff_t>(p - first, 1000));
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        int exponent = 0;
        const char* first = p + 1;
        if (first < end && *first == '+')
            ++first;
        std::from_chars(first, end, exponent);
        decimals -= std::clamp(exponent, -1000, 1000);
    }
    return std::max(decimals, 0);
}

/// Whether the nonzero number in [begin, end) has a magnitude below 1. For numbers outside the range of
/// double this distinguishes underflow from overflow.
bool isBelowOne(const char* begin, const char* end) {
    const char* const mantissaEnd = std::find_if(begin, end, [](char c) { return c == 'e' || c == 'E'; });
    const char* const point = std::find(begin, mantissaEnd, '.');
    const char* const first = std::find_if(
        begin, mantissaEnd, [](char c) { return isDigit(c) && c != '0'; }); // first significant digit
    const std::ptrdiff_t power = first < point ? point - first - 1 : point - first;
    const char* digits = mantissaEnd + (mantissaEnd < end ? 1 : 0);
    if (digits < end && *digits == '+')
        ++digits;
    int exponent = 0;
    if (std::from_chars(digits, end, exponent).ec == std::errc::result_out_of_range)
        return *digits == '-';
    return power + exponent < 0; // both numbers fit into 32 bits, so their sum fits into 64
}

/// Parses the most common form: digits with a sign and a decimal point. The result is correctly rounded,
/// since the digits fit into the 53 bits of a double, and the power of ten is exact as a double (Clinger
/// 1990, "How to read floating point numbers accurately"). Returns false for other tokens.
bool parsePlain(const char* p, const char* end, char delimiter, TextNumber& number) {
    static constexpr double tens[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                      1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
    constexpr std::ptrdiff_t maxLength = 17; // 16 digits and a decimal point
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        ++p;
    const char* const first = p;
    const char* point = nullptr;
    std::uint64_t digits = 0;
    for (; p < end; ++p) {
        if (isDigit(*p))
            digits = digits * 10 + static_cast<std::uint64_t>(*p - '0'); // wraps only if length > maxLength
        else if (*p == '.' && !point)
            point = p;
        else
            break;
    }
    const std::ptrdiff_t length = p - first;
    const bool ends = p == end || isTextBlank(*p) || *p == delimiter;
    if (!ends || length > maxLength || digits > most || length == (point ? 1 : 0))
        return false;
    number.decimals = point ? static_cast<int>(p - point) - 1 : 0;
    if (number.decimals > 16)
        return false;
    const double value = static_cast<double>(digits) / tens[number.decimals];
    number.value = negative ? -value : value;
    number.end = p;
    return true;
}

/// Parses digits with a decimal point and an exponent. @returns the end of the number; null if there is none
const char* parseDecimal(const char* begin, const char* end, TextNumber& number) {
    const auto parsed = std::from_chars(begin, end, number.value);
    if (parsed.ec == std::errc::invalid_argument)
        return nullptr;
    if (parsed.ec == std::errc::result_out_of_range)
        number.value = std::copysign(isBelowOne(begin, parsed.ptr) ? 0.0 : HUGE_VAL, *begin == '-' ? -1 : 1);
    number.decimals = countDecimals(begin, parsed.ptr);
    return parsed.ptr;
}

/// Returns the end of a Fortran double precision exponent after a mantissa with a decimal point, as in
/// 1.5D+00; null if there is none.
const char* fortranExponentEnd(const char* mantissa, const char* exponent, const char* end) {
    if (exponent == end || (*exponent != 'D' && *exponent != 'd') ||
        std::find(mantissa, exponent, '.') == exponent)
        return nullptr;
    const char* p = exponent + 1;
    if (p < end && (*p == '+' || *p == '-'))
        ++p;
    const char* const digits = p;
    p = std::find_if_not(p, end, isDigit);
    return p > digits ? p : nullptr;
}

} // namespace

TextNumber parseNumber(const char* begin, const char* end, char delimiter) {
    TextNumber number;
    if (parsePlain(begin, end, delimiter, number))
        return number;
    const bool quoted = begin < end && *begin == '"';
    if (quoted)
        ++begin;
    if (begin < end && *begin == '+')
        ++begin;
    const char* after = parseDecimal(begin, end, number);
    if (!after)
        return number;
    if (const char* const exponentEnd = fortranExponentEnd(begin, after, end)) {
        std::string text(begin, exponentEnd);
        text[static_cast<std::size_t>(after - begin)] = 'e';
        parseDecimal(text.data(), text.data() + text.size(), number);
        after = exponentEnd;
    }
    if (after < end && *after == '#') { // old Windows programs write 1.#QNAN and 1.#INF
        number.value = std::numeric_limits<double>::quiet_NaN();
        while (after < end && !isTextBlank(*after) && *after != delimiter)
            ++after;
    }
    while (quoted && after < end && isTextBlank(*after))
        ++after;
    if (quoted && (after == end || *after++ != '"'))
        return number; // e.g. the decimal comma of "1,5"
    for (; after < end && !isTextBlank(*after) && *after != delimiter; ++after) {
        if (std::isalnum(static_cast<unsigned char>(*after)))
            return number;
        number.junk = true;
    }
    number.end = after;
    return number;
}

bool floatHolds(double value, int decimals) {
    static constexpr double halfDigit[] = {0.5,    0.5e-1, 0.5e-2,  0.5e-3,  0.5e-4,  0.5e-5,  0.5e-6, 0.5e-7,
                                           0.5e-8, 0.5e-9, 0.5e-10, 0.5e-11, 0.5e-12, 0.5e-13, 0.5e-14};
    constexpr int known = static_cast<int>(std::size(halfDigit));
    const double lost = std::abs(static_cast<double>(static_cast<float>(value)) - value);
    const double allowed = decimals < known ? halfDigit[decimals] : std::pow(10.0, -decimals) / 2;
    return !(lost > allowed * 1.001); // NaN counts as exact
}

} // namespace scanloupe
