#pragma once
// Delimiter and decimal sign of a text, told by its first rows together.
#include "engine/io/text_head.h"

#include <span>

namespace scanloupe {

/// How values are written.
struct TextStyle {
    char delimiter = ' ';      ///< besides blanks: ',', ';' or a tab between which values may be empty
    bool decimalComma = false; ///< 1,5 is one and a half
};

/// The values of one row each. After a delimiter at a row's end there is an empty one.
using TextTable = std::vector<std::vector<std::string>>;

/// `header`: the line of names before the rows; empty without one.
TextStyle sniffStyle(std::span<const HeadLine> rows, const std::string& header);

/// The values of a line in quotes or not.
std::vector<std::string> splitRow(const std::string& line, char delimiter);
/// The values of all rows, decimal commas as points.
TextTable splitRows(std::span<const HeadLine> rows, const TextStyle& style);

/// The number of values that most rows have.
std::size_t usualWidth(const TextTable& rows);

} // namespace scanloupe
