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
    std::size_t place = 0; ///< byte in the record
    Kind kind = Kind::plain;
    int shift = 0, width = 0; ///< of bits
    ScalarType stored = ScalarType::float64;
    double factor = 1, addend = 0;
    std::optional<double> missing; ///< the stored number that stands for no value
};

struct LasLayout {
    std::size_t recordLength = 0;
    std::vector<LasColumn> columns;
    std::vector<std::string> warnings;

    /// As the builder wants them.
    std::vector<Field> fields() const { return {columns.begin(), columns.end()}; }
};

/// The values of a point format, without extra bytes.
std::vector<LasColumn> lasStandardColumns(int pointFormat);

/// What a point of the file has: the values of its point format, then its extra bytes by their names. An
/// extra value that has the name of a standard one takes that name; the standard one gets another.
LasLayout lasLayout(const InputFile& file, const LasHeader& header);

/// Copies `count` records to the rows from `firstRow` on.
void copyLasRecords(const LasLayout& layout, const std::byte* records, std::size_t count,
                    const CloudBuilder& builder, std::size_t firstRow);

/// The number types of extra bytes by their codes 1 to 10 (LAS 1.4 R15, table 24).
inline constexpr ScalarType kLasExtraTypes[] = {
    ScalarType::uint8, ScalarType::int8,   ScalarType::uint16, ScalarType::int16,   ScalarType::uint32,
    ScalarType::int32, ScalarType::uint64, ScalarType::int64,  ScalarType::float32, ScalarType::float64};
/// Bytes that describe one extra value.
inline constexpr std::size_t kLasExtraRecord = 192;

} // namespace scanloupe
