#include "engine/io/las_origin.h"

#include "engine/io/little_endian.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMostLoose = 65536; // bytes that belong to nothing and are kept
constexpr char kMerged[] = "MERGE";         // LAS 1.4 R15, table 4

std::vector<std::byte> looseBytes(const InputFile& file, std::uint64_t begin, std::uint64_t end,
                                  const char* where, std::vector<std::string>& losses) {
    end = std::min(end, file.size());
    if (begin >= end)
        return {};
    if (end - begin > kMostLoose) {
        losses.push_back(
            fmt::format("left out: {} bytes behind the {}, which belong to no record", end - begin, where));
        return {};
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(end - begin));
    file.read(begin, std::span<std::byte>(bytes));
    return bytes;
}

/// Bytes behind the points that no record holds. Where packed points end is not told by the header.
std::uint64_t unreachableBytes(const InputFile& file, const LasHeader& header) {
    const std::uint64_t room = file.size() - std::min(header.pointOffset, file.size());
    const std::uint64_t points = std::min(header.points, room / header.recordLength);
    if (header.compressed || points < header.points)
        return 0;
    std::uint64_t loose = room - points * header.recordLength;
    for (const LasRecord& record : header.records)
        if (record.extended)
            loose -= std::min(loose, kLasExtendedHead + record.length);
    return loose;
}

std::string textOf(std::span<const std::byte> bytes) {
    return loadText(bytes.data(), bytes.size());
}

bool isSame(const LasVlr& a, const LasVlr& b) {
    return a.head.userBytes == b.head.userBytes && a.head.id == b.head.id && !a.file && !b.file &&
           a.head.extended == b.head.extended && a.content == b.content;
}

/// Records that say something about a file's own points, and so nothing about those of several files.
bool isOfOneFile(const LasVlr& record) {
    return record.head.is(kLasSpec, kLasExtraRecordId) || record.head.waves;
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

bool LasOrigin::hasSystem(int id) const {
    return std::any_of(records.begin(), records.end(),
                       [id](const auto& record) { return record->isSystem() && record->head.id == id; });
}

std::uint64_t LasOrigin::bytes() const {
    std::uint64_t sum = hidden.bytes() + behindHeader.size() + behindRecords.size();
    for (const auto& record : records)
        sum += record->content.size() + sizeof(LasVlr);
    return sum;
}

std::shared_ptr<const LasOrigin> lasOrigin(const InputFile& file, const LasHeader& header, LasLayout layout,
                                           Buffer<std::byte> hidden) {
    auto origin = std::make_shared<LasOrigin>();
    origin->minor = header.minor;
    origin->pointFormat = header.pointFormat;
    origin->identity = header.identity;
    const std::uint64_t size = lasHeaderSize(header.minor);
    origin->behindHeader =
        looseBytes(file, size, std::min(header.size, header.pointOffset), "header", origin->losses);
    origin->behindRecords =
        looseBytes(file, std::max(header.recordsEnd, size), header.pointOffset, "records", origin->losses);
    if (const std::uint64_t loose = unreachableBytes(file, header))
        origin->losses.push_back(
            fmt::format("left out: {} bytes behind the points, which nothing in the file leads to", loose));
    bool isIndexed = false;
    for (const auto& record : keepLasRecords(file, header)) {
        if (record->head.is("laszip encoded", 22204))
            origin->packingPlace = origin->records.size();
        else if (record->head.user == "copc")
            isIndexed = true; // of chunks as they lie in that file
        else
            origin->records.push_back(record);
    }
    if (isIndexed)
        origin->losses.push_back(
            "left out: the index of COPC, since the points are packed anew (records copc)");
    if (header.identity.encoding & kLasWavesBeside && header.minor >= 3)
        origin->losses.push_back(
            "the waveforms lie in a .wdp file of their own; copy it and give it the name "
            "of the new file");
    origin->layout = std::move(layout);
    origin->hidden = std::move(hidden);
    return origin;
}

const LasOrigin* lasOriginOf(const PointCloud& cloud) {
    return dynamic_cast<const LasOrigin*>(cloud.source.get());
}

namespace {

std::vector<std::string> factNames(const LasOrigin& origin) {
    std::vector<std::string> names;
    const LasIdentity& identity = origin.identity;
    const auto add = [&](bool given, const char* name) {
        if (given)
            names.push_back(name);
    };
    add(identity.sourceId != 0, "file source id");
    add(identity.guid != LasIdentity().guid, "GUID");
    add(!textOf(identity.system).empty(), "system identifier");
    add(identity.year != 0, "creation date");
    add(identity.encoding & kLasStandardTime, "kind of GPS time");
    bool describes = false;
    for (const auto& record : origin.records) {
        if (record->head.is(kLasSpec, kLasExtraRecordId))
            describes = true;
        else if (!record->isSystem())
            names.push_back("record " + nameOf(*record));
    }
    add(describes, "descriptions of the extra bytes");
    add(origin.layout.hiddenBytes > 0, "bytes of points that no attribute shows");
    return names;
}

} // namespace

std::shared_ptr<const SourceMetadata> commonLasOrigin(std::span<const PointCloud* const> clouds,
                                                      bool keepsSystem) {
    std::shared_ptr<LasOrigin> merged;
    for (const PointCloud* cloud : clouds) {
        const LasOrigin* one = lasOriginOf(*cloud);
        if (!one)
            return nullptr;
        if (!merged) {
            merged = std::make_shared<LasOrigin>();
            merged->identity = one->identity;
            merged->records = one->records;
            continue;
        }
        merged->identity = commonIdentity(merged->identity, one->identity);
        std::erase_if(merged->records, [&](const auto& record) {
            const auto& others = one->records;
            return !record->isSystem() && std::none_of(others.begin(), others.end(), [&](const auto& other) {
                return isSame(*record, *other);
            });
        });
    }
    if (!merged)
        return nullptr;
    merged->identity.encoding &= kLasStandardTime; // the other bits are about how a file is laid out
    std::erase_if(merged->records, [&](const auto& record) {
        return isOfOneFile(*record) || (record->isSystem() && !keepsSystem);
    });
    const std::vector<std::string> kept = factNames(*merged);
    std::vector<std::string> lost;
    for (const PointCloud* cloud : clouds)
        for (const std::string& name : lasFactNames(*cloud))
            if (std::find(kept.begin(), kept.end(), name) == kept.end() &&
                std::find(lost.begin(), lost.end(), name) == lost.end())
                lost.push_back(name);
    if (!lost.empty())
        merged->losses.push_back(
            fmt::format("left out, since it is not the same in all scans: {}", fmt::join(lost, ", ")));
    return merged;
}

std::vector<std::string> lasFactNames(const PointCloud& cloud) {
    const LasOrigin* origin = lasOriginOf(cloud);
    return origin ? factNames(*origin) : std::vector<std::string>();
}

} // namespace scanloupe
