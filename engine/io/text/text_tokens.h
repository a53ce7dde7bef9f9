#pragma once
// Declares functions that split text into lines and tokens. They are used for the few rows that layouts are
// detected from.
#include "engine/io/common/text/text_number.h"

#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

struct TextLine {
    std::string_view text;    ///< without leading and trailing blanks
    std::uint64_t offset = 0; ///< offset of the line in the text
    bool comment = false;     ///< whether the line begins with # or //
};

/// Returns the lines of `head` from offset `from` on that are not blank. @param whole whether `head` ends at
/// the end of the file; otherwise a last line without a line end is left out, since it may be incomplete
std::vector<TextLine> splitLines(std::string_view head, std::size_t from, char newline, bool whole);

/// Returns the values of a line, without quotes. With the delimiter ' ', any blanks separate values.
std::vector<std::string> splitTokens(std::string_view line, char delimiter);

/// Parses a token. Returns false unless all of it is a number.
bool isNumber(const std::string& token, TextNumber& number);
bool isNumber(const std::string& token);

/// Returns whether a line consists of an unsigned integer of at most 18 digits.
bool isCount(std::string_view line);

/// Returns the delimiter of a row: the first of ';', '|' and ',' that it contains, else ' ' (blanks).
char sniffDelimiter(std::string_view row);

/// Returns whether a token is a number, possibly with a decimal comma, such as 1,5.
bool isCommaNumber(std::string token);

/// Returns whether a token is a common spelling of a missing value: the empty token, NA, null, ...
bool isMissing(std::string_view token);

} // namespace scanloupe
