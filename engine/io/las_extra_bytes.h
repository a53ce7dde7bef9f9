#pragma once
// The extra bytes of LAS points, by the records that describe them (LAS 1.4 R15, table 24).
#include "engine/io/las_layout.h"

namespace scanloupe {

struct LasExtraBytes {
    std::vector<LasColumn> columns;
    std::vector<LasByteRange> opaque; ///< bytes that no column shows, since there are too many
    std::vector<std::string> warnings;
};

/// The extra bytes of a point: as all records LASF_Spec 4 describe them, one record behind the other. Bytes
/// of no known meaning, described or not, are a column each, unless there are many. Of thousands of values
/// the first are shown.
LasExtraBytes readLasExtraBytes(const InputFile& file, const LasHeader& header);

/// The number types of extra bytes by their codes 1 to 10.
inline constexpr ScalarType kLasExtraBytesTypes[] = {
    ScalarType::uint8, ScalarType::int8,   ScalarType::uint16, ScalarType::int16,   ScalarType::uint32,
    ScalarType::int32, ScalarType::uint64, ScalarType::int64,  ScalarType::float32, ScalarType::float64};
/// Bytes that describe one extra value.
inline constexpr std::size_t kLasExtraBytesDescriptorSize = 192;

} // namespace scanloupe
