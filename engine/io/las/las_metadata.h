#pragma once
// Declares the metadata of a LAS or LAZ file that its cloud does not show, for writing LAS or LAZ again.
#include "engine/cloud/source_metadata.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/las_vlrs.h"

namespace scanloupe {

class PointCloud;

/// Metadata of a single file, complete for writing it again, or the common metadata of several merged files,
/// which have no layout.
struct LasMetadata : SourceMetadata {
    int minor = 0, pointFormat = 0;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader, bytesAfterVlrs; ///< bytes that belong to no VLR
    LasVlrs vlrs;                                            ///< without the LASzip VLR
    std::optional<std::size_t> laszipVlrIndex;               ///< index of the LASzip VLR among all VLRs
    LasLayout layout; ///< its columns are x, y, z, and then the attributes
    std::shared_ptr<const Buffer<std::byte>> opaque = {}; ///< [N, layout.opaqueBytes]; null without any
    std::vector<std::string> losses; ///< when the file is written again: sentences without their full stop

    bool isSingle() const { return !layout.columns.empty(); }
    std::uint64_t bytes() const override;
    std::shared_ptr<const SourceMetadata> ofRows(std::span<const std::size_t> rows) const override;
};

/// Reads the metadata of a file. `opaque` are the bytes that the layout's opaque ranges have in its points.
std::shared_ptr<const LasMetadata> readLasMetadata(const InputFile& file, const LasHeader& header,
                                                   LasLayout layout, Buffer<std::byte> opaque);

/// The metadata of a cloud from LAS or LAZ files; else null.
const LasMetadata* lasMetadataOf(const PointCloud& cloud);

/// The common metadata of clouds that are merged; null unless all of them come from LAS files. With
/// `keepsSystem` it has the CRS records of the first cloud, else none. @throws nothing
std::shared_ptr<const SourceMetadata> mergeLasMetadata(std::span<const PointCloud* const> clouds,
                                                       bool keepsSystem);

/// Names of the metadata that other formats can't store: "file source id", "record LASF_Spec 100".
std::vector<std::string> lasMetadataNames(const PointCloud& cloud);

} // namespace scanloupe
