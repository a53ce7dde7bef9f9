#pragma once
// Finds the intended word for a misspelt one.
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe::cli {

/// The number of letters to insert, remove, replace or swap with their neighbour to turn one word into the
/// other: the restricted Damerau-Levenshtein distance (Damerau, "A technique for computer detection and
/// correction of spelling errors", 1964).
std::size_t editDistance(std::string_view a, std::string_view b);

/// The nearest of `known`, if it differs by few letters or begins with `word`; none otherwise.
std::optional<std::string> nearestWord(std::string_view word, std::span<const std::string> known);

} // namespace scanloupe::cli
