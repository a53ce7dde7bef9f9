#pragma once
// Declares conversions between byte strings and QString: names of files and attributes are bytes, and need
// not be UTF-8.
#include <QString>
#include <filesystem>
#include <string>
#include <string_view>

class QUrl;

namespace scanloupe::gui {

/// Converts bytes to a string that rawBytes() converts back. Each byte that is not UTF-8 becomes a lone
/// surrogate U+DC80 to U+DCFF (Python's surrogateescape, PEP 383). For identification, not for display.
QString rawText(std::string_view bytes);
std::string rawBytes(const QString& text);
/// Converts a string of rawText(), or one that the user typed, to a path.
std::filesystem::path rawPath(const QString& text);
/// Path of a local file's URL, as rawText() represents it; empty for other URLs.
QString rawTextOf(const QUrl& url);

/// Names for display; those that are not UTF-8 are decoded as ISO 8859-1.
QString shownText(std::string_view bytes);
QString shownText(const QString& rawText);

} // namespace scanloupe::gui
