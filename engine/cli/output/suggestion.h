#pragma once
// Declares suggestions for misspelt words.
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe::cli {

/// Returns the restricted Damerau-Levenshtein distance: the number of letters to insert, remove, replace or
/// swap with their neighbour to turn one word into the other (Damerau, "A technique for computer detection
/// and correction of spelling errors", 1964).
std::size_t editDistance(std::string_view a, std::string_view b);

/// Returns the word of `known` that is nearest to `word`, if it differs by few letters or begins with `word`;
/// otherwise none.
std::optional<std::string> nearestWord(std::string_view word, std::span<const std::string> known);

} // namespace scanloupe::cli
