#pragma once
// Declares the layout of LAS point records, and their decoding into the columns of a cloud.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/las/las_header.h"

namespace scanloupe {

/// One field of a point record, and its column.
struct LasColumn : Field {
    enum class Kind : std::uint8_t {
        plain,  ///< a number of the column's type
        bits,   ///< a bit field within a byte
        scaled, ///< a number of type `stored`, scaled to a double
    };
    std::size_t byteOffset = 0; ///< in the record
    Kind kind = Kind::plain;
    int shift = 0, width = 0; ///< of bits
    ScalarType stored = ScalarType::float64;
    double factor = 1, addend = 0;
    std::optional<double> noData; ///< the stored number that marks missing values
};

/// A range of bytes of a record that can't be reconstructed from column values: it has no column, or its
/// column holds scaled values that are not invertible. Such bytes are kept as they are.
struct LasByteRange {
    std::size_t byteOffset = 0, size = 0;
};

struct LasLayout {
    std::size_t recordLength = 0;
    std::vector<LasColumn> columns;
    std::vector<LasByteRange> opaque;
    std::size_t opaqueBytes = 0; ///< of all ranges
    std::vector<std::string> warnings;

    /// The columns as fields of a CloudBuilder.
    std::vector<Field> fields() const { return {columns.begin(), columns.end()}; }
};

/// The columns of a point format, without extra bytes.
std::vector<LasColumn> lasStandardColumns(int pointFormat);

/// The columns of a file's points: those of its point format, then its extra bytes.
LasLayout readLasLayout(const InputFile& file, const LasHeader& header);

/// True when the stored number can be recovered from the column's value.
bool isInvertible(const LasColumn& column);

/// Decodes `count` records into the rows from `firstRow` on: the columns whose targets have memory.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    std::span<const ColumnTarget> targets, std::size_t firstRow);
/// The same with the opaque bytes.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow);

} // namespace scanloupe
