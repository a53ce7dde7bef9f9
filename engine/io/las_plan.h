#pragma once
// How a cloud becomes a LAS or LAZ file.
#include "engine/io/cloud_files.h"
#include "engine/io/las_frame.h"
#include "engine/io/las_layout.h"

namespace scanloupe::detail {

/// One value of a record and the attribute that it comes from.
struct LasSource {
    LasColumn column;
    const Attribute* attribute = nullptr;
};

struct LasPlan {
    int minor = 4, pointFormat = 6;
    std::size_t recordLength = 30;
    LasFrame frame;
    std::vector<LasSource> sources;      ///< without x, y, z; values without a source are zero
    std::vector<const Attribute*> extra; ///< those of `sources` that are extra bytes, in their order
    std::vector<std::size_t> finite;     ///< the points to write, where some are left out
    std::size_t points = 0;              ///< how many are written
};

/// @throws EngineError when a point would have more bytes than LAS can say; Cancelled
LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop);

/// The header and the records before the points; `lazRecord` is LASzip's, empty for LAS. @throws Cancelled
std::string lasHead(const PointCloud& cloud, const LasPlan& plan, std::span<const std::byte> lazRecord,
                    const std::stop_token& stop);

/// Fills `record`, all zero at first, with the `row`-th point that is written.
void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record);

} // namespace scanloupe::detail
