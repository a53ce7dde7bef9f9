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

/// `text` without the byte order mark that some editors put in front of UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);

/// Encodes code points as UTF-8.
std::string toUtf8(std::u32string_view codePoints);

/// `text` as UTF-8, with blanks for control characters, so that a file's content can't control a terminal.
std::string printableText(std::string_view text);

/// `text` for a terminal: control characters but line feeds and tabs, and characters that change the
/// direction of text, are spelled out, as in "\x1b" and "\u202e". Names from files and of files can thus
/// neither control a terminal nor look like others. Bytes that are not UTF-8 are spelled out, too, as in
/// "\xe4".
std::string terminalText(std::string_view text);
/// The same of text for one line: line feeds and tabs are spelled out, too.
std::string terminalLine(std::string_view text);
/// The same of a message: only lines that begin with two blanks, as next steps do, follow its first line.
/// Names in it can thus not look like messages of their own.
std::string terminalMessage(std::string_view text);

} // namespace scanloupe
