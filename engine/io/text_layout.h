#pragma once
// What a text of points looks like: where its rows begin, what separates values, what the columns are.
#include "engine/io/text_parse.h"

#include <optional>

namespace scanloupe {

struct SniffedText {
    TextLayout layout;
    char newline = '\n';
    std::uint64_t dataOffset = 0;             ///< of the first row
    std::optional<std::uint64_t> claimedRows; ///< of a PTS file's first line
    bool header = false;                      ///< the columns' names come from the file
    std::vector<std::string> warnings;
};

/// Looks at the beginning of the file. @throws EngineError when there are no rows of numbers; Cancelled
SniffedText sniffText(const InputFile& file, const std::stop_token& stop);

} // namespace scanloupe
