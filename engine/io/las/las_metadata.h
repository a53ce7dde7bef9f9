#pragma once
// Declares the metadata of a LAS or LAZ file that its cloud does not represent, for writing LAS or LAZ again.
#include "engine/cloud/source_metadata.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/las_vlrs.h"

namespace scanloupe {

class PointCloud;

/// Metadata of a single file, sufficient for writing it again, or the common metadata of several merged
/// files, which has no layout.
struct LasMetadata : SourceMetadata {
    int minor = 0, pointFormat = 0;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader, bytesAfterVlrs; ///< bytes that belong to no VLR
    LasVlrs vlrs;                                            ///< without the LASzip VLR
    std::optional<std::size_t> laszipVlrIndex;               ///< index of the LASzip VLR among all VLRs
    LasLayout layout; ///< its columns are x, y, z, and then the attributes
    std::shared_ptr<const Buffer<std::byte>> opaque = {}; ///< [N, layout.opaqueBytes]; null if there are no
                                                          ///< opaque bytes
    std::vector<std::string> losses; ///< losses when the file is written again, as messages without a full
                                     ///< stop

    bool isSingle() const { return !layout.columns.empty(); }
    std::uint64_t bytes() const override;
    std::shared_ptr<const SourceMetadata> ofRows(std::span<const std::size_t> rows) const override;
};

/// Reads the metadata of a file. @param opaque bytes of its points in the layout's opaque ranges
std::shared_ptr<const LasMetadata> readLasMetadata(const InputFile& file, const LasHeader& header,
                                                   LasLayout layout, Buffer<std::byte> opaque);

/// Returns the metadata of a cloud from LAS or LAZ files; null for other clouds.
const LasMetadata* lasMetadataOf(const PointCloud& cloud);

/// Returns the common metadata of merged clouds; null unless all are from LAS files. @param keepsSystem
/// whether to include the coordinate system records of the first cloud. Does not throw.
std::shared_ptr<const SourceMetadata> mergeLasMetadata(std::span<const PointCloud* const> clouds,
                                                       bool keepsSystem);

/// Returns names of the metadata that other formats can't store: "file source id", "record LASF_Spec 100".
std::vector<std::string> lasMetadataNames(const PointCloud& cloud);

} // namespace scanloupe
