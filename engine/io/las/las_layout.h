#pragma once
// Declares the layout of LAS point records, and their decoding into the columns of a cloud.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/las/las_header.h"

namespace scanloupe {

/// A field of a point record, and its column.
struct LasColumn : Field {
    enum class Kind : std::uint8_t {
        plain,  ///< a number with the column's type
        bits,   ///< a bit field within a byte
        scaled, ///< a number of type `stored`, converted to a double by scale and offset
    };
    std::size_t byteOffset = 0; ///< offset in the record
    Kind kind = Kind::plain;
    int shift = 0, width = 0; ///< position and number of bits
    ScalarType stored = ScalarType::float64;
    double factor = 1, addend = 0;
    std::optional<double> noData; ///< the stored number that marks missing values
};

/// A range of bytes in a record that can't be reconstructed from column values: it has no column, or its
/// column has scaled values that are not invertible. Such bytes are stored unchanged.
struct LasByteRange {
    std::size_t byteOffset = 0, size = 0;
};

struct LasLayout {
    std::size_t recordLength = 0;
    std::vector<LasColumn> columns;
    std::vector<LasByteRange> opaque;
    std::size_t opaqueBytes = 0; ///< total size of all ranges
    std::vector<std::string> warnings;

    /// Returns the columns as fields for a CloudBuilder.
    std::vector<Field> fields() const { return {columns.begin(), columns.end()}; }
};

/// Returns the columns of a point format, without extra bytes.
std::vector<LasColumn> lasStandardColumns(int pointFormat);

/// Returns the columns of a file's points: those of the point format, followed by extra bytes.
LasLayout readLasLayout(const InputFile& file, const LasHeader& header);

/// Whether the stored number can be recovered from the column's value.
bool isInvertible(const LasColumn& column);

/// Decodes `count` records into the rows starting at `firstRow`, for columns whose targets have memory.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    std::span<const ColumnTarget> targets, std::size_t firstRow);
/// Like copyLasRecords() above, and also copies the opaque bytes.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow);

} // namespace scanloupe
