#pragma once
// Declares the decoding of text that may be UTF-8 or not, and the encoding as UTF-8 (RFC 3629).
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// The code points of `text`; none when it is not UTF-8. Overlong forms, surrogates and values beyond
/// U+10FFFF are not UTF-8 (RFC 3629, section 3).
std::optional<std::u32string> fromUtf8(std::string_view text);

/// The code points of `text`: decoded as UTF-8, or else as ISO 8859-1, byte by byte.
std::u32string utf8OrLatin1(std::string_view text);

/// `text` without the byte order mark that some editors prepend to UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);

/// Encodes code points as UTF-8.
std::string toUtf8(std::u32string_view codePoints);

/// `text` as UTF-8, with blanks for control characters, so that a file's content can't control a terminal.
std::string printableText(std::string_view text);

/// `text` for a terminal: control characters except line feeds and tabs, characters that change the direction
/// of text, and bytes that are not UTF-8 are escaped, as in "\x1b", "\u202e" and "\xe4". Thus names of files
/// and in files can neither control a terminal nor imitate other text.
std::string terminalText(std::string_view text);
/// As terminalText(), for a single line: line feeds and tabs are escaped, too.
std::string terminalLine(std::string_view text);
/// As terminalText(), for a message: line feeds are kept only before two blanks, with which next steps begin,
/// and escaped elsewhere. Thus names in a message can't look like separate messages.
std::string terminalMessage(std::string_view text);

} // namespace scanloupe
