#pragma once
// Where the values of a LAS point lie in its record, and how they get into the columns of a cloud.
#include "engine/io/cloud_builder.h"
#include "engine/io/las_header.h"

namespace scanloupe {

/// One value of a point.
struct LasColumn : Field {
    enum class Kind : std::uint8_t {
        plain,  ///< a number of the column's type
        bits,   ///< some bits of a byte
        scaled, ///< a number of `stored` that becomes a double
    };
    std::size_t byteOffset = 0; ///< byte in the record
    Kind kind = Kind::plain;
    int shift = 0, width = 0; ///< of bits
    ScalarType stored = ScalarType::float64;
    double factor = 1, addend = 0;
    std::optional<double> noData; ///< the stored number that stands for no value
};

/// Bytes of a record that can't be made from the values of its columns: no column shows them, or one does
/// with other numbers.
struct LasByteRange {
    std::size_t byteOffset = 0, size = 0;
};

struct LasLayout {
    std::size_t recordLength = 0;
    std::vector<LasColumn> columns;
    std::vector<LasByteRange> opaque;
    std::size_t opaqueBytes = 0; ///< of all of them
    std::vector<std::string> warnings;

    /// As the builder wants them.
    std::vector<Field> fields() const { return {columns.begin(), columns.end()}; }
};

/// The values of a point format, without extra bytes.
std::vector<LasColumn> lasStandardColumns(int pointFormat);

/// What a point of the file has: the values of its point format, then its extra bytes by their names.
LasLayout lasLayout(const InputFile& file, const LasHeader& header);

/// True when the stored number can be had back from the column's value.
bool isInvertible(const LasColumn& column);

/// Copies `count` records to the rows from `firstRow` on.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow);

} // namespace scanloupe
