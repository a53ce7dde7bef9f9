#pragma once
// Quotes text for CSV.
#include <string>

namespace scanloupe {

/// A field of text as RFC 4180 quotes it.
inline std::string quotedForCsv(std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '"');
    return '"' + text + '"';
}

} // namespace scanloupe
