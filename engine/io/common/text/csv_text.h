#pragma once
// Prepares text for CSV.
#include <string>

namespace scanloupe {

/// Prefixes `text` with an apostrophe if a spreadsheet would interpret it as a formula: it starts with =, +,
/// -, @ (or their full-width forms), a tab or a line end, and is not a number. This is necessary since names
/// come from untrusted files, and a formula can run programs. The result is one line of UTF-8, as from
/// printableText().
std::string withoutFormula(const std::string& text);

/// Quotes a text as a field of CSV (RFC 4180), after withoutFormula().
std::string quotedForCsv(std::string text);

} // namespace scanloupe
