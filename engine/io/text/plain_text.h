#pragma once
// Declares the conversion of files to plain text: UTF-16 decoded, without NUL bytes at the end.
#include "engine/io/common/input_file.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// True for the beginning of a text in ASCII, UTF-8 or ISO 8859-1. NUL bytes may follow its lines: programs
/// that reserve space in a file leave some.
bool isPlainText(std::string_view head);

/// True for the beginning of a text in UTF-16 with its byte order mark, mostly of ASCII characters.
bool isUtf16Text(std::string_view head);

/// A text in bytes of ASCII, UTF-8 or ISO 8859-1.
struct PlainText {
    std::shared_ptr<const InputFile> file;
    bool utf16 = false; ///< `file` is the decoded text in memory
    std::vector<std::string> warnings;
};

/// Decodes UTF-16, and cuts off NUL bytes at the end. @throws EngineError; Cancelled
PlainText plainTextOf(const InputFile& file, const std::stop_token& stop);

} // namespace scanloupe
