#pragma once
// Declares the detection of a text's layout: the beginning of its rows, the delimiter and the columns.
#include "engine/io/common/read_options.h"
#include "engine/io/text/text_parse.h"

#include <optional>

namespace scanloupe {

struct SniffedText {
    TextLayout layout;
    char newline = '\n';
    std::uint64_t dataOffset = 0;             ///< offset of the first row
    std::optional<std::uint64_t> claimedRows; ///< point count in a PTS file's first line
    bool header = false;                      ///< the column names come from the file
    std::vector<std::string> warnings;
    std::optional<TextPreview> unsure; ///< preview for when the columns are uncertain; none: they are known
};

/// Reads the beginning of the file only. @param chosen column names that override the detected ones
/// @throws EngineError when there are no rows of numbers, or a chosen column is missing; Cancelled
SniffedText sniffText(const InputFile& file, std::span<const ChosenColumn> chosen,
                      const std::stop_token& stop);

} // namespace scanloupe
