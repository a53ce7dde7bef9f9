#pragma once
// Prepares text for CSV.
#include <string>

namespace scanloupe {

/// `text` with an apostrophe in front where a spreadsheet would take it for a formula: it begins with =, +,
/// -, @ (also of full width), a tab or a line end, and is no number. Names come from files of others, and a
/// formula can run programs. As printableText(): one line of UTF-8.
std::string withoutFormula(const std::string& text);

/// A field of text as RFC 4180 quotes it, withoutFormula().
std::string quotedForCsv(std::string text);

} // namespace scanloupe
