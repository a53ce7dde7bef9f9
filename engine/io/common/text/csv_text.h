#pragma once
// Prepares text for CSV.
#include <string>

namespace scanloupe {

/// `text` prefixed with an apostrophe where a spreadsheet would interpret it as a formula: it begins with =,
/// +, -, @ (or their full-width forms), a tab or a line end, and is no number. Names come from untrusted
/// files, and a formula can run programs. As printableText(): one line of UTF-8.
std::string withoutFormula(const std::string& text);

/// A field of text as RFC 4180 quotes it, withoutFormula().
std::string quotedForCsv(std::string text);

} // namespace scanloupe
