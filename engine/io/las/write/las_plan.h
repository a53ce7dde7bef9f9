#pragma once
// Declares the plan by which a cloud is written as LAS or LAZ, and the parts of the writer.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/las/las_frame.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/las/las_source.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Version, point format, VLRs, and the sources of all fields of the point records.
struct LasPlan {
    int minor = 4, pointFormat = 6;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader, bytesAfterVlrs; ///< bytes that belong to no VLR
    LasVlrs vlrs;                                            ///< without the LASzip VLR
    std::size_t laszipVlrIndex = 0;                          ///< index of the LASzip VLR among all VLRs
    std::size_t recordLength = 30;
    LasFrame frame;
    std::vector<LasSource> sources;        ///< without x, y, z; values without a source are zero
    std::byte returns{};                   ///< return bits of each record that no source fills
    const LasMetadata* original = nullptr; ///< source of opaque bytes to write back; null without any
    std::vector<std::size_t> finite;       ///< indices of the points to write, where some are left out
    std::size_t points = 0;                ///< number of points to write
    std::vector<std::string> losses;       ///< sentences without their full stop

    bool hasEvlrs() const;
};

/// Plans a round trip for a cloud from a single LAS or LAZ file, else a new file: see planLasRoundTrip and
/// planNewLas.
/// @throws EngineError when a point record would exceed 65535 bytes; Cancelled
LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop);

/// Plans a file with the version, point format, VLRs and every byte of the points of the single file that the
/// cloud was read from.
LasPlan planLasRoundTrip(const PointCloud& cloud, const LasMetadata& metadata);

/// Plans a file of the lowest point format that holds the standard attributes of a cloud from another format
/// or from several files. The other attributes become extra bytes. @throws EngineError; Cancelled
LasPlan planNewLas(const PointCloud& cloud, const std::stop_token& stop);

/// Serializes the header, with the offsets of EVLRs left zero, and the VLRs. `laszipVlr` is the content of
/// the LASzip VLR, empty for LAS. @throws EngineError; Cancelled
std::string serializeLasHeader(const PointCloud& cloud, const LasPlan& plan,
                               std::span<const std::byte> laszipVlr, const std::stop_token& stop);

/// Sets the offsets of EVLRs in a serialized header, when the first EVLR is at offset `at`.
void setEvlrOffsets(std::string& head, const LasPlan& plan, std::uint64_t at);

/// Writes the EVLRs. @throws EngineError; Cancelled; exceptions of the stream
void writeEvlrs(std::ostream& stream, const LasPlan& plan, const std::stop_token& stop);

/// Encodes the `row`-th written point into `record`, which must be zero.
void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record);

} // namespace scanloupe::detail
