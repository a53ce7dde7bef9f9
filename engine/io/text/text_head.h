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
    std::vector<std::string> comments; ///< between this line and the one before; of many, the last ones
};

struct TextHead {
    std::vector<HeadLine> lines;
    std::vector<std::string> comments; ///< after the last line; of many, the last ones
    char newline = '\n';               ///< \n, or \r in files of old Macs
};

/// Reads until `most` lines are found, or enough of them to detect a layout. Comments may have any length.
/// @throws EngineError when a line is longer than a megabyte, or reading fails; Cancelled
TextHead readTextHead(const InputFile& file, std::size_t most, const std::stop_token& stop);

} // namespace scanloupe
