#pragma once
// Names of files and attributes, which are bytes and need not be UTF-8, in the window's strings.
#include <QString>
#include <filesystem>
#include <string>
#include <string_view>

class QUrl;

namespace scanloupe::gui {

/// Bytes as a string that rawBytes() gives back, each byte that is no UTF-8 as a lone surrogate U+DC80 to
/// U+DCFF (Python's surrogateescape, PEP 383). To tell things apart, not to be shown.
QString rawText(std::string_view bytes);
std::string rawBytes(const QString& text);
/// The path that rawText() or people gave.
std::filesystem::path rawPath(const QString& text);
/// The bytes of a local file's address, as rawText() has them; of others nothing.
QString rawTextOf(const QUrl& url);

/// Names as people read them: what is no UTF-8 as ISO 8859-1.
QString shownText(std::string_view bytes);
QString shownText(const QString& rawText);

} // namespace scanloupe::gui
