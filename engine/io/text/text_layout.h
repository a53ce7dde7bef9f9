#pragma once
// Declares the detection of a text's layout: offset of the rows, delimiter and columns.
#include "engine/io/common/read_options.h"
#include "engine/io/text/text_parse.h"

#include <optional>

namespace scanloupe {

/// The detected layout of a text.
struct SniffedText {
    TextLayout layout;
    char newline = '\n';
    std::uint64_t dataOffset = 0; ///< offset of the first row
    std::optional<std::uint64_t>
        claimedRows;     ///< point count before the rows, as in the first line of PTS files
    bool header = false; ///< whether the column names are from the file
    std::vector<std::string> warnings;
    std::optional<TextPreview>
        unsure; ///< preview to ask the user if the columns are uncertain; nullopt if they are certain
};

/// Detects the layout from the beginning of the file. @param chosen columns whose names override the detected
/// names
/// @throws EngineError if there are no rows of numbers, or if a chosen column does not exist; Cancelled
SniffedText sniffText(const InputFile& file, std::span<const ChosenColumn> chosen,
                      const std::stop_token& stop);

} // namespace scanloupe
