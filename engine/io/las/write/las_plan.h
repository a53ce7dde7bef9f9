#pragma once
// Declares the plan for writing a cloud as LAS or LAZ, and the parts of the writer.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/las/las_frame.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/las/las_source.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Plan of a LAS file: version, point format, VLRs, and the sources of all fields of the point records.
struct LasPlan {
    int minor = 4, pointFormat = 6;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader,
        bytesAfterVlrs;             ///< bytes of the original file that belong to no VLR
    LasVlrs vlrs;                   ///< all VLRs and EVLRs except the LASzip VLR
    std::size_t laszipVlrIndex = 0; ///< index of the LASzip VLR among all VLRs
    std::size_t recordLength = 30;  ///< bytes per point record
    LasFrame frame;
    std::vector<LasSource>
        sources;         ///< sources of all fields except x, y, z; fields without a source are zero
    std::byte returns{}; ///< return bits of all records, unless sources fill them
    const LasMetadata* original = nullptr; ///< source of opaque bytes to write back; null if there are none
    std::vector<std::size_t> finite;       ///< indices of the points to write; empty: all points
    std::size_t points = 0;                ///< number of points to write
    std::vector<std::string> losses;       ///< messages without a full stop about lost information

    /// Returns whether there are EVLRs, which follow the points.
    bool hasEvlrs() const;
};

/// Plans a LAS file, by planLasRoundTrip() for a cloud from a single LAS or LAZ file, otherwise by
/// planNewLas(). @throws EngineError if a point record would exceed 65535 bytes; Cancelled
LasPlan planLas(const PointCloud& cloud, const std::stop_token& stop);

/// Plans a file that preserves the version, the point format, the VLRs and all bytes of the points of the
/// file that the cloud was read from.
LasPlan planLasRoundTrip(const PointCloud& cloud, const LasMetadata& metadata);

/// Plans a file for a cloud from another format or from several files. Chooses the lowest point format that
/// can store the cloud's standard attributes; other attributes become extra bytes. @throws EngineError if a
/// point record would exceed 65535 bytes; Cancelled
LasPlan planNewLas(const PointCloud& cloud, const std::stop_token& stop);

/// Serializes the header and the VLRs. Offsets of EVLRs are zero; see setEvlrOffsets(). @param laszipVlr
/// content of the LASzip VLR; empty for LAS @throws EngineError; Cancelled
std::string serializeLasHeader(const PointCloud& cloud, const LasPlan& plan,
                               std::span<const std::byte> laszipVlr, const std::stop_token& stop);

/// Sets the offsets of EVLRs in a serialized header. @param at file offset of the first EVLR
void setEvlrOffsets(std::string& head, const LasPlan& plan, std::uint64_t at);

/// Writes the EVLRs. @throws EngineError; Cancelled; exceptions of the stream
void writeEvlrs(std::ostream& stream, const LasPlan& plan, const std::stop_token& stop);

/// Encodes a point into `record`. @param row index among the written points @param record
/// [LasPlan::recordLength] bytes, initially zero
void fillLasRecord(const PointCloud& cloud, const LasPlan& plan, std::size_t row, std::byte* record);

} // namespace scanloupe::detail
