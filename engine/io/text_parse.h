#pragma once
// Rows of numbers in text -> the columns of a cloud, on all cores: shared by all text formats.
#include "engine/io/cloud_builder.h"
#include "engine/io/text_rows.h"
#include "engine/io/text_style.h"

#include <functional>
#include <limits>
#include <string_view>

namespace scanloupe {

/// One column of a text.
struct TextField : Field {
    bool list = false;   ///< a count and so many values: dropped
    bool widens = false; ///< becomes a wider type when a value does not fit `type` exactly
    bool whole = false; ///< with `widens`: no value is known that is not whole, so that those beyond 2^53 may
                        ///< make it a column of 64-bit integers
};

/// What rows look like.
struct TextLayout : TextStyle {
    std::vector<TextField> fields;
};

/// The rows [first, first + count) of a text.
struct RowWindow {
    std::uint64_t first = 0, count = 0;
    /// Of the layout's columns its rows have the first so many, and no number (NaN) in the others, which are
    /// of floating type.
    std::size_t columns = std::numeric_limits<std::size_t>::max();
};

/// What a format may do with the parsed rows before they become a cloud: `ends` [windows] tells where the
/// rows of each window end. Takes and gives the digits after the point.
using RowsParsed = std::function<int(CloudBuilder& builder, std::span<const std::size_t> ends, int decimals)>;

/// Parses the rows of the windows (ascending, apart) into a new cloud; rows that are not whole are left out
/// and told in the cloud's warnings. Adds four units a byte to `meter`.
/// @throws EngineError when x, y or z is missing or no row is whole; Cancelled
std::shared_ptr<PointCloud> parseRows(const InputFile& file, const TextRows& rows, TextLayout layout,
                                      std::span<const RowWindow> windows, const RowsParsed& parsed,
                                      ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
