#pragma once
// Declares the common style of HTML reports, and escaping of text.
#include <string>

namespace scanloupe {

/// The style sheet of a report.
inline constexpr const char* kReportStyle = R"(
body { font-family: "DejaVu Sans", "Liberation Sans", Arial, sans-serif; font-size: 10pt; color: #202428;
       max-width: 1000px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 18pt; margin-bottom: 4px; }
h2 { font-size: 13pt; margin-top: 24px; }
table { border-collapse: collapse; }
td, th { padding: 3px 12px 3px 0; text-align: left; vertical-align: top; }
th { font-weight: normal; color: #606870; }
.places td, .places th { text-align: right; padding: 3px 12px; }
.within { color: #1d7a33; font-weight: bold; }
.outside { color: #b02020; font-weight: bold; }
.caption { color: #606870; }
img { max-width: 100%; height: auto; }
pre { font-size: 8pt; white-space: pre-wrap; }
)";

/// Escapes the characters that have a meaning in HTML, and control characters.
std::string htmlEscaped(const std::string& text);
/// Appends a table row with a name and a value. @param value HTML, not escaped
void addHtmlRow(std::string& html, const char* name, const std::string& value);

} // namespace scanloupe
