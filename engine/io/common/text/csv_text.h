#pragma once
// Prepares text for CSV.
#include <string>

namespace scanloupe {

/// `text` with an apostrophe in front where a spreadsheet would take it for a formula: it begins with =, +,
/// -, @, a tab or a carriage return, and is no number. Names come from files of others, and a formula can run
/// programs.
std::string withoutFormula(std::string text);

/// A field of text as RFC 4180 quotes it, withoutFormula().
std::string quotedForCsv(std::string text);

} // namespace scanloupe
