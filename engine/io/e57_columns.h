#pragma once
// The columns of a cloud that several E57 scans make together.
#include "engine/io/cloud_builder.h"
#include "engine/io/e57_packets.h"

namespace scanloupe {

/// A scan and its rows in the cloud.
struct E57Part {
    const E57Scan* scan = nullptr;
    E57Plan plan;
    std::uint64_t first = 0, points = 0; ///< rows
    std::vector<int> columns;            ///< [fields] where each goes; kDropped, kInvalid or a column

    static constexpr int kDropped = -1, kInvalid = -2;
};

struct E57Columns {
    std::vector<Field> fields; ///< x, y, z first
    /// Of coordinates that are stored as integers.
    Vec3d scale{1, 1, 1}, offset;
    std::vector<bool> partial;    ///< [fields] missing in some scan
    bool differentScales = false; ///< scans have colours of different full scale
};

/// The columns for all parts, whose `columns` are set: what a scan has not is not a number there.
/// @throws EngineError when they are more than any file has
E57Columns e57Columns(const InputFile& file, std::span<E57Part> parts);

/// Stores values of a field in its column.
void storeE57(const E57Values& values, const E57Field& field, std::uint64_t firstRow,
              const ColumnTarget& target);

} // namespace scanloupe
