#pragma once
// Declares the parallel parser of text rows, which all text formats use to fill the columns of a cloud.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/text/text_rows.h"
#include "engine/io/text/text_style.h"

#include <functional>
#include <limits>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// A column of a text.
struct TextField : Field {
    bool list =
        false; ///< whether the column is a list, a count followed by as many values; lists are dropped
    bool widens = false; ///< whether `type` becomes wider if it can't represent a value exactly
    /// If `widens`: whether all values so far are integers, so that values beyond 2^53 widen the type to
    /// 64-bit integers instead of double.
    bool whole = false;
};

/// The style and the columns of the rows of a text.
struct TextLayout : TextStyle {
    std::vector<TextField> fields;
    std::vector<std::string> headings; ///< header lines, which concatenated files repeat between rows
    bool hasCount =
        false; ///< whether the text, or each of the concatenated files in it, begins with a point count
    bool hasComments = false; ///< whether # begins a comment up to the end of the row
};

/// The rows [first, first + count) of a text.
struct RowRange {
    std::uint64_t first = 0, count = 0;
    /// Number of columns in these rows. The layout's further columns, which have a floating-point type,
    /// become NaN.
    std::size_t columns = std::numeric_limits<std::size_t>::max();
};

/// Returns the delimiter of rows in a format whose header specifies the number of columns, and which requires
/// decimal points.
/// @throws EngineError if the numbers have decimal commas
char delimiterOfDeclared(const InputFile& file, const TextRows& rows, const RowRange& range,
                         std::size_t columns);

/// Function by which a format processes the parsed rows before they become a cloud. `ends` [ranges] are the
/// ends of the ranges' rows in the builder; `decimals` is the number of decimals of the coordinates. Returns
/// the number of decimals after processing.
using ProcessRows =
    std::function<int(CloudBuilder& builder, std::span<const std::size_t> ends, int decimals)>;

/// Parses the rows of the ranges (ascending, disjoint) into a new cloud. Incomplete rows are left out, and
/// reported as damage. Adds four units per byte to `meter`. @throws EngineError if x, y or z is missing, or
/// if no row is complete; Cancelled
std::shared_ptr<PointCloud> parseRows(const InputFile& file, const TextRows& rows, TextLayout layout,
                                      std::span<const RowRange> ranges, const ProcessRows& process,
                                      ProgressMeter& meter, const std::stop_token& stop);

} // namespace scanloupe
