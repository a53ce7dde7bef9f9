#pragma once
// Declares the columns of a cloud that merges several E57 scans.
#include "engine/io/common/cloud_builder.h"
#include "engine/io/e57/e57_packets.h"

namespace scanloupe {

/// A scan, and its range of rows in the cloud.
struct E57Part {
    const E57Scan* scan = nullptr;
    E57Plan plan;
    std::uint64_t first = 0, points = 0; ///< rows
    std::vector<int> columns;            ///< [fields] index of its column; kDropped or kInvalid

    static constexpr int kDropped = -1, kInvalid = -2;
};

struct E57Columns {
    std::vector<Field> fields; ///< x, y, z first
    /// Scale and offset of coordinates that are stored as integers.
    Vec3d scale{1, 1, 1}, offset;
    std::vector<bool> partial;    ///< [fields] missing in some scans
    bool differentScales = false; ///< scans declare different colour limits
};

/// Builds the columns for all parts, and sets the parts' `columns`. Values that a scan lacks are NaN.
/// @throws EngineError when there are more columns than any real file has
E57Columns planE57Columns(const InputFile& file, std::span<E57Part> parts);

/// Stores decoded values of a field in its column.
void storeE57Values(const E57Values& values, const E57Field& field, std::uint64_t firstRow,
                    const ColumnTarget& target);

} // namespace scanloupe
