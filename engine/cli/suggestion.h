#pragma once
// Finds what a misspelt word was meant to be.
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe::cli {

/// The number of letters that have to be inserted, removed, replaced or swapped with their neighbour to make
/// one word of the other: the restricted Damerau-Levenshtein distance (Damerau, "A technique for computer
/// detection and correction of spelling errors", 1964).
std::size_t editDistance(std::string_view a, std::string_view b);

/// The nearest of `known`, if few letters differ or it begins with `word`; nothing if none is near.
std::optional<std::string> nearestWord(std::string_view word, std::span<const std::string> known);

} // namespace scanloupe::cli
