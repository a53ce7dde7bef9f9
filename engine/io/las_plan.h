#pragma once
// How a cloud becomes a LAS or LAZ file.
#include "engine/io/cloud_writers.h"
#include "engine/io/las_frame.h"
#include "engine/io/las_metadata.h"
#include "engine/io/las_source.h"

namespace scanloupe::detail {

struct LasPlan {
    int minor = 4, pointFormat = 6;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader, bytesAfterVlrs; ///< bytes that belong to no record
    LasVlrs vlrs;                                            ///< but LASzip's
    std::size_t laszipVlrIndex = 0;                          ///< how many records stand before LASzip's
    std::size_t recordLength = 30;
    LasFrame frame;
    std::vector<LasSource> sources;        ///< without x, y, z; values without a source are zero
    const LasMetadata* original = nullptr; ///< whose hidden bytes belong to the points
    std::vector<std::size_t> finite;       ///< the points to write, where some are left out
    std::size_t points = 0;                ///< how many are written
    std::vector<std::string> losses;       ///< sentences without their full stop

    bool hasEvlrs() const; ///< records behind the points
};

/// As the file was that the cloud comes from, if that was LAS or LAZ; else as planLasRoundTrip and planNewLas
/// say.
/// @throws EngineError when a point would have more bytes than LAS can say; Cancelled
LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop);

/// Version, point format, records and every byte of the points as they were in the single file that the cloud
/// comes from.
LasPlan planLasRoundTrip(const PointCloud& cloud, const LasMetadata& metadata);

/// The lowest point format that holds the standard attributes of a cloud from elsewhere, or from several
/// files; the other attributes are extra bytes. @throws EngineError; Cancelled
LasPlan planNewLas(const PointCloud& cloud, const std::stop_token& stop);

/// The header, without where the records behind the points are, and the records before them; `laszipVlr` is
/// LASzip's, empty for LAS. @throws EngineError; Cancelled
std::string serializeLasHeader(const PointCloud& cloud, const LasPlan& plan,
                               std::span<const std::byte> laszipVlr, const std::stop_token& stop);

/// Enters in a header that the records behind the points begin `at` this byte.
void setEvlrOffsets(std::string& head, const LasPlan& plan, std::uint64_t at);

/// The records behind the points. @throws EngineError; Cancelled; what the stream throws
void writeEvlrs(std::ostream& stream, const LasPlan& plan, const std::stop_token& stop);

/// Fills `record`, all zero at first, with the `row`-th point that is written.
void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record);

} // namespace scanloupe::detail
