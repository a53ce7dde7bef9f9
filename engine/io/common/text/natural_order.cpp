// Compares strings in natural order: runs of digits by value, letters regardless of case.
#include "engine/io/common/text/natural_order.h"

#include <algorithm>
#include <cctype>

namespace scanloupe {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Removes a leading run of digits from `text`, and returns the run without leading zeros.
std::string_view consumeDigits(std::string_view& text) {
    const auto length =
        static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isDigit) - text.begin());
    std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

} // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    const std::string_view allOfA = a, allOfB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const auto numberA = consumeDigits(a), numberB = consumeDigits(b);
            if (numberA.size() != numberB.size())
                return numberA.size() < numberB.size();
            if (numberA != numberB)
                return numberA < numberB;
            continue;
        }
        const int charA = std::tolower(static_cast<unsigned char>(a.front()));
        const int charB = std::tolower(static_cast<unsigned char>(b.front()));
        if (charA != charB)
            return charA < charB;
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty())
        return a.empty();
    return allOfA < allOfB; // 01 and 1 have equal values; any strict order will do
}

} // namespace scanloupe
