#pragma once
// Declares the columns of a cloud that merges several E57 scans.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/e57/e57_packets.h"

namespace scanloupe {

/// A scan, and its rows in the cloud.
struct E57Part {
    const E57Scan* scan = nullptr;
    E57Plan plan;
    std::uint64_t first = 0, points = 0; ///< first row and number of rows
    std::vector<int> columns;            ///< [fields] index of the field's column; kDropped or kInvalid

    static constexpr int kDropped = -1, kInvalid = -2;
};

struct E57Columns {
    std::vector<Field> fields; ///< x, y, z first
    /// Scale and offset of coordinates stored as integers.
    Vec3d scale{1, 1, 1}, offset;
    std::vector<bool> partial;    ///< [fields] whether the field is missing in some scans
    bool differentScales = false; ///< whether scans declare different colour limits
};

/// Plans the columns for all parts, and sets the parts' `columns`. Values that a scan does not have are NaN.
/// @throws EngineError if there are more columns than in any real file
E57Columns planE57Columns(const InputFile& file, std::span<E57Part> parts);

/// Stores decoded values of a field in its column.
void storeE57Values(const E57Values& values, const E57Field& field, std::uint64_t firstRow,
                    const ColumnTarget& target);

} // namespace scanloupe
