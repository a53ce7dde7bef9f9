#pragma once
// Formats numbers for messages.
#include <cstdio>
#include <string>

namespace scanloupe {

/// Returns `value` with up to six significant digits, such as "0.001" or "nan".
inline std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

} // namespace scanloupe
