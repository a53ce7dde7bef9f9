#pragma once
// Declares the first rows of a text file, from which its layout is detected.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A line that is neither blank nor a comment.
struct HeadLine {
    std::string text; ///< without spaces around it; tabs may be delimiters
    std::uint64_t offset = 0;
    /// Between this line and the previous one; only the last ones if there are many.
    std::vector<std::string> comments;
};

struct TextHead {
    std::vector<HeadLine> lines;
    std::vector<std::string> comments; ///< after the last line; only the last ones if there are many
    char newline = '\n';               ///< \n, or \r in files of old Macs
};

/// Reads until `most` lines are found, or enough of them to detect a layout. Comments may have any length.
/// @throws EngineError when a line is longer than a megabyte, or reading fails; Cancelled
TextHead readTextHead(const InputFile& file, std::size_t most, const std::stop_token& stop);

} // namespace scanloupe
