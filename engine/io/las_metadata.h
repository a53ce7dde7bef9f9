#pragma once
// What a LAS or LAZ file says beyond what its cloud shows, for another LAS or LAZ file.
#include "engine/io/las_layout.h"
#include "engine/io/las_vlrs.h"

namespace scanloupe {

/// Of a single file: all that it takes to write it again. Of several that were merged: what they have in
/// common, and no layout.
struct LasMetadata : SourceMetadata {
    int minor = 0, pointFormat = 0;
    LasIdentity identity;
    std::vector<std::byte> bytesAfterHeader, bytesAfterVlrs; ///< bytes that belong to no record
    LasVlrs vlrs;                                            ///< but LASzip's
    std::optional<std::size_t> laszipVlrIndex;               ///< how many records stood before LASzip's
    LasLayout layout;                ///< its columns are x, y, z, and then the attributes
    Buffer<std::byte> opaque;        ///< [N, layout.opaqueBytes]
    std::vector<std::string> losses; ///< of the file itself when it is written again: sentences without stop

    bool isSingle() const { return !layout.columns.empty(); }
    bool hasCrs(int id) const; ///< a record of the coordinate system
    std::uint64_t bytes() const override;
};

std::shared_ptr<const LasMetadata> readLasMetadata(const InputFile& file, const LasHeader& header,
                                                   LasLayout layout, Buffer<std::byte> opaque);

/// What the cloud's file said, where that was LAS or LAZ; else null.
const LasMetadata* lasMetadataOf(const PointCloud& cloud);

/// What clouds that are merged have in common; null where not all of them come from LAS files. The coordinate
/// system is that of the first, if `keepsSystem`. @throws nothing
std::shared_ptr<const SourceMetadata> mergeLasMetadata(std::span<const PointCloud* const> clouds,
                                                       bool keepsSystem);

/// What a format other than LAS can't hold of it, by names: "file source id", "record LASF_Spec 100".
std::vector<std::string> lasMetadataNames(const PointCloud& cloud);

} // namespace scanloupe
