#pragma once
// Declares the detection of a text's delimiter and decimal separator from its first rows together.
#include "engine/io/text/text_head.h"

#include <span>

namespace scanloupe {

/// The notation of values and rows.
struct TextStyle {
    char delimiter = ' '; ///< ',', ';', '|' or a tab, between which a value may be empty; ' ': blanks alone
    bool decimalComma = false; ///< 1,5 is one and a half
};

/// The values of rows. A delimiter at the end of a row is followed by an empty value.
using TextTable = std::vector<std::vector<std::string>>;

/// Detects the style. `header`: the line of names before the rows; empty without one.
TextStyle sniffStyle(std::span<const HeadLine> rows, const std::string& header);

/// Splits a line into its values, which may be in quotes.
std::vector<std::string> splitRow(const std::string& line, char delimiter);
/// Splits all rows into their values, with points for decimal commas.
TextTable splitRows(std::span<const HeadLine> rows, const TextStyle& style);

/// The most frequent number of values in a row.
std::size_t modalColumnCount(const TextTable& rows);

} // namespace scanloupe
