#pragma once
// Declares the conversion of files to plain text, which decodes UTF-16 and removes NUL bytes at the end.
#include "engine/io/common/input_file.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Returns whether a file begins like a text in ASCII, UTF-8 or ISO 8859-1. NUL bytes may follow the text,
/// since some programs reserve space at the end of a file.
bool isPlainText(std::string_view head);

/// Returns whether a file begins like a text in UTF-16: with a byte order mark, and mostly ASCII characters.
bool isUtf16Text(std::string_view head);

/// A text in ASCII, UTF-8 or ISO 8859-1.
struct PlainText {
    std::shared_ptr<const InputFile> file;
    bool utf16 = false; ///< whether `file` is a decoded copy in memory
    std::vector<std::string> warnings;
};

/// Decodes UTF-16, and removes NUL bytes at the end. @throws EngineError; Cancelled
PlainText plainTextOf(const InputFile& file, const std::stop_token& stop);

} // namespace scanloupe
