#pragma once
// Text of files that may be UTF-8 or not.
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// The signs that UTF-8 stands for; none when `text` is no UTF-8 (RFC 3629: overlong forms, surrogates and
/// what lies beyond U+10FFFF are none).
std::optional<std::u32string> fromUtf8(std::string_view text);

/// The signs of `text`: of UTF-8, else one for each byte, as ISO 8859-1 has them.
std::u32string utf8OrLatin1(std::string_view text);

/// Signs as UTF-8.
std::string toUtf8(std::u32string_view signs);

/// `text` as UTF-8, with blanks for control characters: what a file holds must not steer a terminal.
std::string printableText(std::string_view text);

} // namespace scanloupe
