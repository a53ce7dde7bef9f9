// Collects the metadata of LAS files: header fields, VLRs, and bytes that no column represents.
#include "engine/io/las/las_metadata.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/common/little_endian.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

// Maximum number of bytes outside header and VLRs that are kept; more are left out.
constexpr std::uint64_t kMaxLooseBytes = 65536;
constexpr char kMerged[] = "MERGE"; // system identifier: LAS 1.4 R15, table 4

std::vector<std::byte> readLooseBytes(const InputFile& file, std::uint64_t begin, std::uint64_t end,
                                      const char* where, std::vector<std::string>& losses) {
    end = std::min(end, file.size());
    if (begin >= end)
        return {};
    if (end - begin > kMaxLooseBytes) {
        losses.push_back(
            fmt::format("left out: {} bytes after the {} that belong to no record", end - begin, where));
        return {};
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(end - begin));
    file.read(begin, std::span<std::byte>(bytes));
    return bytes;
}

/// Counts the bytes after the points that belong to no EVLR. Returns 0 for LAZ, whose header does not define
/// the end of the points.
std::uint64_t unreachableBytes(const InputFile& file, const LasHeader& header) {
    const std::uint64_t room = file.size() - std::min(header.pointOffset, file.size());
    const std::uint64_t points = std::min(header.points, room / header.recordLength);
    if (header.compressed || points < header.points)
        return 0;
    std::uint64_t loose = room - points * header.recordLength;
    for (const LasVlrHeader& record : header.vlrs)
        if (record.extended)
            loose -= std::min(loose, kEvlrHeaderSize + record.length);
    return loose;
}

std::string textOf(std::span<const std::byte> bytes) {
    return loadText(bytes.data(), bytes.size());
}

bool isSame(const LasVlr& a, const LasVlr& b) {
    return a.header.userBytes == b.header.userBytes && a.header.id == b.header.id && !a.file && !b.file &&
           a.header.extended == b.header.extended && a.content == b.content;
}

/// Whether a VLR describes the points of a single file, and is not valid for merged points.
bool isOfOneFile(const LasVlr& record) {
    return record.header.is(kLasSpec, kLasExtraBytesVlr) || record.header.isWaveforms;
}

template <class T>
T common(const T& a, const T& b, const T& otherwise) {
    return a == b ? a : otherwise;
}

LasIdentity commonIdentity(const LasIdentity& a, const LasIdentity& b) {
    LasIdentity both;
    both.sourceId = common(a.sourceId, b.sourceId, both.sourceId);
    both.encoding = a.encoding & b.encoding;
    both.guid = common(a.guid, b.guid, both.guid);
    std::memcpy(both.system.data(), kMerged, sizeof kMerged - 1);
    both.system = common(a.system, b.system, both.system);
    const bool sameDay = a.day == b.day && a.year == b.year;
    both.day = sameDay ? a.day : 0;
    both.year = sameDay ? a.year : 0;
    return both;
}

} // namespace

std::uint64_t LasMetadata::bytes() const {
    std::uint64_t sum = (opaque ? opaque->bytes() : 0) + bytesAfterHeader.size() + bytesAfterVlrs.size();
    for (const auto& record : vlrs)
        sum += record->content.size() + sizeof(LasVlr);
    return sum;
}

std::shared_ptr<const SourceMetadata> LasMetadata::ofRows(std::span<const std::size_t> rows) const {
    auto some = std::make_shared<LasMetadata>(*this);
    if (!opaque)
        return some;
    const std::size_t size = layout.opaqueBytes;
    auto chosen = Buffer<std::byte>::host(rows.size() * size);
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(chosen.data() + i * size, opaque->data() + rows[i] * size, size);
    some->opaque = std::make_shared<const Buffer<std::byte>>(std::move(chosen));
    return some;
}

std::shared_ptr<const LasMetadata> readLasMetadata(const InputFile& file, const LasHeader& header,
                                                   LasLayout layout, Buffer<std::byte> opaque) {
    auto metadata = std::make_shared<LasMetadata>();
    metadata->minor = header.minor;
    metadata->pointFormat = header.pointFormat;
    metadata->identity = header.identity;
    const std::uint64_t size = lasHeaderSize(header.minor);
    metadata->bytesAfterHeader =
        readLooseBytes(file, size, std::min(header.size, header.pointOffset), "header", metadata->losses);
    metadata->bytesAfterVlrs =
        readLooseBytes(file, std::max(header.vlrsEnd, size), header.pointOffset, "records", metadata->losses);
    if (const std::uint64_t loose = unreachableBytes(file, header))
        metadata->losses.push_back(
            fmt::format("left out: {} bytes after the points that nothing in the file refers to", loose));
    bool isIndexed = false;
    for (const auto& record : readLasVlrs(file, header)) {
        if (record->header.is("laszip encoded", 22204))
            metadata->laszipVlrIndex = metadata->vlrs.size();
        else if (record->header.userId == "copc")
            isIndexed = true; // its offsets are only valid in the original file
        else
            metadata->vlrs.push_back(record);
    }
    if (isIndexed)
        metadata->losses.push_back(
            "left out: the COPC index, since the points are compressed again (records copc)");
    if (header.identity.encoding & kLasWaveformsExternal && header.minor >= 3)
        metadata->losses.push_back(
            "the waveforms are in a separate .wdp file; copy it and give it the name of the new file");
    metadata->layout = std::move(layout);
    if (!opaque.empty())
        metadata->opaque = std::make_shared<const Buffer<std::byte>>(std::move(opaque));
    return metadata;
}

const LasMetadata* lasMetadataOf(const PointCloud& cloud) {
    return dynamic_cast<const LasMetadata*>(cloud.source.get());
}

namespace {

std::vector<std::string> metadataNames(const LasMetadata& metadata) {
    std::vector<std::string> names;
    const LasIdentity& identity = metadata.identity;
    const auto add = [&](bool given, const char* name) {
        if (given)
            names.push_back(name);
    };
    add(identity.sourceId != 0, "file source id");
    add(identity.guid != LasIdentity().guid, "GUID");
    add(!textOf(identity.system).empty(), "system identifier");
    add(identity.year != 0, "creation date");
    add(identity.encoding & kLasStandardGpsTime, "kind of GPS time");
    bool describes = false;
    for (const auto& record : metadata.vlrs) {
        if (record->header.is(kLasSpec, kLasExtraBytesVlr))
            describes = true;
        else if (!record->isCrs())
            names.push_back("record " + nameOf(*record));
    }
    add(describes, "descriptions of the extra bytes");
    add(metadata.layout.opaqueBytes > 0, "bytes of points that no attribute shows");
    return names;
}

} // namespace

std::shared_ptr<const SourceMetadata> mergeLasMetadata(std::span<const PointCloud* const> clouds,
                                                       bool keepsSystem) {
    std::shared_ptr<LasMetadata> merged;
    for (const PointCloud* cloud : clouds) {
        const LasMetadata* one = lasMetadataOf(*cloud);
        if (!one)
            return nullptr;
        if (!merged) {
            merged = std::make_shared<LasMetadata>();
            merged->identity = one->identity;
            merged->vlrs = one->vlrs;
            continue;
        }
        merged->identity = commonIdentity(merged->identity, one->identity);
        std::erase_if(merged->vlrs, [&](const auto& record) {
            const auto& others = one->vlrs;
            return !record->isCrs() && std::none_of(others.begin(), others.end(), [&](const auto& other) {
                return isSame(*record, *other);
            });
        });
    }
    if (!merged)
        return nullptr;
    merged->identity.encoding &= kLasStandardGpsTime; // the other bits describe the layout of the file
    std::erase_if(merged->vlrs, [&](const auto& record) {
        return isOfOneFile(*record) || (record->isCrs() && !keepsSystem);
    });
    const std::vector<std::string> kept = metadataNames(*merged);
    std::vector<std::string> lost;
    for (const PointCloud* cloud : clouds)
        for (const std::string& name : lasMetadataNames(*cloud))
            if (std::find(kept.begin(), kept.end(), name) == kept.end() &&
                std::find(lost.begin(), lost.end(), name) == lost.end())
                lost.push_back(name);
    if (!lost.empty())
        merged->losses.push_back(
            fmt::format("left out, since it is not the same in all scans: {}", fmt::join(lost, ", ")));
    return merged;
}

std::vector<std::string> lasMetadataNames(const PointCloud& cloud) {
    const LasMetadata* metadata = lasMetadataOf(cloud);
    return metadata ? metadataNames(*metadata) : std::vector<std::string>();
}

} // namespace scanloupe
