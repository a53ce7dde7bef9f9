#pragma once
// Declares the extra bytes of LAS points, described by Extra Bytes VLRs (LAS 1.4 R15, table 24).
#include "engine/io/las/las_layout.h"

namespace scanloupe {

struct LasExtraBytes {
    std::vector<LasColumn> columns;
    std::vector<LasByteRange> opaque; ///< bytes without a column, because there are too many columns
    std::vector<std::string> warnings;
};

/// Reads the extra bytes of a point from all Extra Bytes VLRs (LASF_Spec 4), in their order. Each
/// undocumented byte is a column, unless there are more than 32. Only the first 4096 values have columns.
LasExtraBytes readLasExtraBytes(const InputFile& file, const LasHeader& header);

/// Types of extra bytes by their data type codes, 1 to 10.
inline constexpr ScalarType kLasExtraBytesTypes[] = {
    ScalarType::uint8, ScalarType::int8,   ScalarType::uint16, ScalarType::int16,   ScalarType::uint32,
    ScalarType::int32, ScalarType::uint64, ScalarType::int64,  ScalarType::float32, ScalarType::float64};
/// Size of a descriptor, bytes.
inline constexpr std::size_t kLasExtraBytesDescriptorSize = 192;

} // namespace scanloupe
