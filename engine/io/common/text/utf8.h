#pragma once
// Declares the decoding of text that may or may not be UTF-8, and the encoding as UTF-8 (RFC 3629).
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// Returns the code points of `text`; nullopt if it is not UTF-8. Overlong forms, surrogates and values
/// beyond U+10FFFF are not UTF-8 (RFC 3629, section 3).
std::optional<std::u32string> fromUtf8(std::string_view text);

/// Returns the code points of `text`, decoded as UTF-8 or, if it is not UTF-8, as ISO 8859-1.
std::u32string utf8OrLatin1(std::string_view text);

/// Removes the byte order mark that some editors prepend to UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);

/// Encodes code points as UTF-8.
std::string toUtf8(std::u32string_view codePoints);

/// Returns `text` as UTF-8 with blanks instead of control characters, so that a file's content can't control
/// a terminal.
std::string printableText(std::string_view text);

/// Escapes `text` for a terminal, as in "\x1b", "\u202e" and "\xe4": control characters except line feeds and
/// tabs, characters that change the direction of text, and bytes that are not UTF-8. As a result, names of
/// files and in files can neither control a terminal nor imitate other output.
std::string terminalText(std::string_view text);
/// Like terminalText(), but also escapes line feeds and tabs.
std::string terminalLine(std::string_view text);
/// Like terminalText(), but escapes line feeds unless two blanks follow, which mark the next step of a
/// message. As a result, names in a message can't imitate separate messages.
std::string terminalMessage(std::string_view text);

} // namespace scanloupe
