#pragma once
// Declares the first rows of a text file, which are used to detect its layout.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A line that is neither blank nor a comment.
struct HeadLine {
    std::string text; ///< without leading and trailing spaces; tabs are kept, since they may be delimiters
    std::uint64_t offset = 0; ///< file offset
    /// Comments between this line and the previous one; only the last 64 if there are more.
    std::vector<std::string> comments;
};

struct TextHead {
    std::vector<HeadLine> lines;
    std::vector<std::string> comments; ///< comments after the last line; only the last 64 if there are more
    char newline = '\n';               ///< line end: \n, or \r in files of old Macs
};

/// Reads until there are `most` lines, or enough lines to detect the layout. @throws EngineError if a line is
/// longer than a megabyte, or if reading fails; Cancelled
TextHead readTextHead(const InputFile& file, std::size_t most, const std::stop_token& stop);

} // namespace scanloupe
