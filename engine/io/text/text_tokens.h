#pragma once
// Declares the splitting of text into lines and tokens, for the few rows from which a layout is detected.
#include "engine/io/common/text/text_number.h"

#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

struct TextLine {
    std::string_view text; ///< without blanks around it
    std::uint64_t offset = 0;
    bool comment = false;
};

/// Returns the lines of `head`, starting at `from`, that are not blank. Unless `whole`, the last line is left
/// out, since it may be cut off.
std::vector<TextLine> splitLines(std::string_view head, std::size_t from, char newline, bool whole);

/// Returns the values of a line, without quotes.
std::vector<std::string> splitTokens(std::string_view line, char delimiter);

bool isNumber(const std::string& token, TextNumber& number);
bool isNumber(const std::string& token);

/// Whether a line has a single unsigned integer.
bool isCount(std::string_view line);

/// Returns the delimiter of a row: ; or | or , or blanks.
char sniffDelimiter(std::string_view row);

/// Whether a number may have a comma as its decimal separator: 1,5.
bool isCommaNumber(std::string token);

/// True for common spellings of a missing value: nothing, NA, null, ...
bool isMissing(std::string_view token);

} // namespace scanloupe
