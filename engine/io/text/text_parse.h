#pragma once
// Declares the parallel parser of text rows into the columns of a cloud, shared by all text formats.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/text/text_rows.h"
#include "engine/io/text/text_style.h"

#include <functional>
#include <limits>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// One column of a text.
struct TextField : Field {
    bool list = false;   ///< a count followed by as many values: dropped
    bool widens = false; ///< becomes a wider type when a value does not fit `type` exactly
    /// With `widens`: all values so far are integers, so values beyond 2^53 widen it to 64-bit integers.
    bool whole = false;
};

/// The style and the columns of rows.
struct TextLayout : TextStyle {
    std::vector<TextField> fields;
    std::vector<std::string> headings; ///< the lines of the header, which joined files repeat
    bool hasCount = false;    ///< the text, and each file concatenated to it, begins with a count of points
    bool hasComments = false; ///< from a # to the end of the row
};

/// The rows [first, first + count) of a text.
struct RowRange {
    std::uint64_t first = 0, count = 0;
    /// The number of the layout's leading columns that these rows have. The others, which are of floating
    /// type, become NaN.
    std::size_t columns = std::numeric_limits<std::size_t>::max();
};

/// The delimiter of rows whose `columns` values a header declares, so that a comma may be one.
/// @throws EngineError when commas are the decimal separators of their numbers
char delimiterOfDeclared(const InputFile& file, const TextRows& rows, const RowRange& range,
                         std::size_t columns);

/// Lets a format process the parsed rows before they become a cloud. `ends` [ranges]: end of each range's
/// rows. Takes and returns the number of decimals.
using ProcessRows =
    std::function<int(CloudBuilder& builder, std::span<const std::size_t> ends, int decimals)>;

/// Parses the rows of the ranges (ascending, disjoint) into a new cloud; incomplete rows are left out as
/// damage of the cloud. Adds four units a byte to `meter`.
/// @throws EngineError when x, y or z is missing or no row is complete; Cancelled
std::shared_ptr<PointCloud> parseRows(const InputFile& file, const TextRows& rows, TextLayout layout,
                                      std::span<const RowRange> ranges, const ProcessRows& process,
                                      ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
