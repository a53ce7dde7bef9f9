#pragma once
// Declares the detection of a text's delimiter and decimal separator from its first rows.
#include "engine/io/text/text_head.h"

#include <span>

namespace scanloupe {

/// The notation of values and rows.
struct TextStyle {
    char delimiter = ' ';      ///< ',', ';', '|' or a tab; values between them may be empty. ' ': any blanks
    bool decimalComma = false; ///< whether a comma is the decimal separator, as in 1,5
};

/// Values of rows, [rows][values]. After a delimiter at the end of a row, there is an empty last value.
using TextTable = std::vector<std::vector<std::string>>;

/// Detects the style. @param header line of column names before the rows; empty if there is none
TextStyle sniffStyle(std::span<const HeadLine> rows, const std::string& header);

/// Splits a row into its values, and removes quotes. A delimiter at the end adds an empty value.
std::vector<std::string> splitRow(const std::string& line, char delimiter);
/// Splits all rows into their values, and replaces decimal commas by points.
TextTable splitRows(std::span<const HeadLine> rows, const TextStyle& style);

/// Returns the most frequent number of values in a row; 0 if there are no rows.
std::size_t modalColumnCount(const TextTable& rows);

} // namespace scanloupe
