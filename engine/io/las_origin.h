#pragma once
// What a LAS or LAZ file says beyond what its cloud shows, for another LAS or LAZ file.
#include "engine/io/las_layout.h"
#include "engine/io/las_vlrs.h"

namespace scanloupe {

/// Of a single file: all that it takes to write it again. Of several that were merged: what they have in
/// common, and no layout.
struct LasOrigin : SourceMetadata {
    int minor = 0, pointFormat = 0;
    LasIdentity identity;
    std::vector<std::byte> behindHeader, behindRecords; ///< bytes that belong to no record
    LasVlrs records;                                    ///< but LASzip's
    std::optional<std::size_t> packingPlace;            ///< how many records stood before LASzip's
    LasLayout layout;                                   ///< its columns are x, y, z, and then the attributes
    Buffer<std::byte> hidden;                           ///< [N, layout.hiddenBytes]
    std::vector<std::string> losses; ///< of the file itself when it is written again: sentences without stop

    bool isSingle() const { return !layout.columns.empty(); }
    bool hasSystem(int id) const; ///< a record of the coordinate system
    std::uint64_t bytes() const override;
};

std::shared_ptr<const LasOrigin> lasOrigin(const InputFile& file, const LasHeader& header, LasLayout layout,
                                           Buffer<std::byte> hidden);

/// What the cloud's file said, where that was LAS or LAZ; else null.
const LasOrigin* lasOriginOf(const PointCloud& cloud);

/// What clouds that are merged have in common; null where not all of them come from LAS files. The coordinate
/// system is that of the first, if `keepsSystem`. @throws nothing
std::shared_ptr<const SourceMetadata> commonLasOrigin(std::span<const PointCloud* const> clouds,
                                                      bool keepsSystem);

/// What a format other than LAS can't hold of it, by names: "file source id", "record LASF_Spec 100".
std::vector<std::string> lasFactNames(const PointCloud& cloud);

} // namespace scanloupe
