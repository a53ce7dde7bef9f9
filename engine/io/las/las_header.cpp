// Parses LAS headers, VLRs and EVLRs; repairs or rejects invalid ones.
#include "engine/io/las/las_header.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace scanloupe {

namespace {

constexpr std::size_t kHeaderSize = 227, kHeaderSize14 = 375;
constexpr std::size_t kMaxVlrs = 65536; // limit for damaged counts; real files have a dozen

Vec3d loadAxes(const std::byte* head, std::size_t at, std::size_t step) {
    return {loadLittle<double>(head + at), loadLittle<double>(head + at + step),
            loadLittle<double>(head + at + 2 * step)};
}

/// Replaces invalid scales and offsets (zero scales, values that are not finite), with a warning.
void repairScaleAndOffset(LasHeader& header) {
    for (int axis = 0; axis < 3; ++axis) {
        double& scale = header.scale[axis];
        if (!std::isfinite(scale) || scale == 0) {
            header.warnings.push_back(fmt::format("The header's scale of {} must be a finite number other "
                                                  "than 0 (got {}); the scale 1 was used instead.",
                                                  "xyz"[axis], scale));
            scale = 1;
        }
        double& offset = header.offset[axis];
        if (!std::isfinite(offset)) {
            header.warnings.push_back(fmt::format(
                "The header's offset of {} must be a finite number (got {}); the offset 0 was used instead.",
                "xyz"[axis], offset));
            offset = 0;
        }
    }
}

/// Parses the header of a VLR, or of an EVLR if `extended`, at offset `at`.
LasVlrHeader parseVlrHeader(const std::byte* head, bool extended, std::uint64_t at) {
    LasVlrHeader record;
    record.userId = loadText(head + 2, 16);
    record.id = loadLittle<std::uint16_t>(head + 18);
    record.offset = at + (extended ? kEvlrHeaderSize : kVlrHeaderSize);
    record.length = extended ? loadLittle<std::uint64_t>(head + 20) : loadLittle<std::uint16_t>(head + 20);
    record.reserved = loadLittle<std::uint16_t>(head);
    std::memcpy(record.userBytes.data(), head + 2, record.userBytes.size());
    std::memcpy(record.description.data(), head + (extended ? 28 : 22), record.description.size());
    record.extended = extended;
    return record;
}

/// Reads the EVLR header at offset `at`; nullopt if the EVLR is not completely in the file.
std::optional<LasVlrHeader> readEvlrHeader(const InputFile& file, const LasHeader& header, std::uint64_t at) {
    if (at < header.pointOffset || at >= file.size() || file.size() - at < kEvlrHeaderSize)
        return std::nullopt;
    std::byte head[kEvlrHeaderSize];
    file.read(at, std::span<std::byte>(head));
    LasVlrHeader record = parseVlrHeader(head, true, at);
    if (record.length > file.size() - at - kEvlrHeaderSize)
        return std::nullopt;
    return record;
}

/// Reads the headers of the VLRs, which precede the points.
void readVlrs(const InputFile& file, LasHeader& header, std::uint64_t begin, std::uint32_t count) {
    const std::uint64_t end = std::min(header.pointOffset, file.size());
    header.vlrsEnd = std::min(begin, end);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t at = header.vlrsEnd;
        const bool headFits = begin <= end && end - at >= kVlrHeaderSize && i < kMaxVlrs;
        std::byte head[kVlrHeaderSize];
        if (headFits)
            file.read(at, std::span<std::byte>(head));
        const LasVlrHeader record = headFits ? parseVlrHeader(head, false, at) : LasVlrHeader();
        if (!headFits || record.length > end - at - kVlrHeaderSize) {
            header.warnings.push_back(fmt::format("The header specifies {} VLRs before the points, but only "
                                                  "{} fit there; the others were left out.",
                                                  count, header.vlrs.size()));
            return;
        }
        header.vlrs.push_back(record);
        header.vlrsEnd = record.offset + record.length;
    }
}

/// Reads the headers of the EVLRs, which follow the points (LAS 1.4).
void readEvlrs(const InputFile& file, LasHeader& header, const std::byte* head14) {
    auto at = loadLittle<std::uint64_t>(head14 + 235);
    const auto count = loadLittle<std::uint32_t>(head14 + 243);
    std::size_t found = 0;
    for (; found < count && found < kMaxVlrs; ++found) {
        const auto record = readEvlrHeader(file, header, at);
        if (!record)
            break;
        header.vlrs.push_back(*record);
        at = record->offset + record->length;
    }
    if (found < count)
        header.warnings.push_back(fmt::format(
            "The header specifies {} EVLRs after the points, but the file contains only {}.", count, found));
}

/// Finds the EVLR with internal waveform data packets (LAS 1.3 and 1.4). In 1.3 only the header field Start
/// of Waveform Data Packet Record refers to it.
void findWaveformEvlr(const InputFile& file, LasHeader& header, const std::byte* head) {
    const auto place = loadLittle<std::uint64_t>(head + 227);
    if (place == 0 || !(header.identity.encoding & kLasWaveformsInternal))
        return;
    for (LasVlrHeader& record : header.vlrs)
        if (record.extended && record.offset == place + kEvlrHeaderSize) {
            record.isWaveforms = true;
            return;
        }
    auto record = readEvlrHeader(file, header, place);
    if (!record) {
        header.warnings.push_back("The waveforms that the header specifies are missing in the file.");
        return;
    }
    record->isWaveforms = true;
    record->counted = false;
    header.vlrs.push_back(*record);
}

LasIdentity identityOf(const std::byte* head) {
    LasIdentity identity;
    identity.sourceId = loadLittle<std::uint16_t>(head + 4);
    identity.encoding = loadLittle<std::uint16_t>(head + 6);
    std::memcpy(identity.guid.data(), head + 8, identity.guid.size());
    std::memcpy(identity.system.data(), head + 26, identity.system.size());
    std::memcpy(identity.software.data(), head + 58, identity.software.size());
    identity.day = loadLittle<std::uint16_t>(head + 90);
    identity.year = loadLittle<std::uint16_t>(head + 92);
    return identity;
}

void readCounts(const std::byte* head, LasHeader& header) {
    const std::uint64_t legacy = loadLittle<std::uint32_t>(head + 107);
    header.points = legacy;
    if (header.minor < 4)
        return;
    const auto wide = loadLittle<std::uint64_t>(head + 247);
    if (wide == 0)
        return; // some writers only set the legacy count
    header.points = wide;
    if (legacy != 0 && legacy != wide)
        header.warnings.push_back(fmt::format("The header has two different point counts, {} (32-bit) and {} "
                                              "(64-bit); the 64-bit count was used.",
                                              legacy, wide));
}

} // namespace

const LasVlrHeader* LasHeader::findVlr(std::string_view user, int id) const {
    for (const LasVlrHeader& one : vlrs)
        if (one.is(user, id))
            return &one;
    return nullptr;
}

std::size_t lasHeaderSize(int minor) {
    return minor < 3 ? kHeaderSize : minor == 3 ? 235 : kHeaderSize14;
}

std::size_t lasPointSize(int format) {
    constexpr std::size_t sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    return sizes[format];
}

LasHeader readLasHeader(const InputFile& file) {
    const auto refuse = [&](const std::string& what) {
        throw EngineError(fmt::format("'{}' {}", file.name(), what),
                          "The file is damaged or truncated. Copy or export it again.");
    };
    if (file.size() < kHeaderSize)
        refuse(fmt::format("has {} bytes: too few for the header of a LAS file", file.size()));
    std::byte head[kHeaderSize14] = {};
    file.read(0, std::span(head).first(
                     static_cast<std::size_t>(std::min<std::uint64_t>(kHeaderSize14, file.size()))));
    if (loadText(head, 4) != "LASF")
        refuse("does not begin with 'LASF'");
    LasHeader header;
    const int major = std::to_integer<int>(head[24]);
    header.minor = std::to_integer<int>(head[25]);
    const int format = std::to_integer<int>(head[104]);
    header.compressed = (format & 0xc0) == 0x80; // LASzip sets bit 7, so that LAS readers reject the file
    header.pointFormat = format & 0x3f;
    const auto refuseKind = [&](const std::string& what) {
        throw EngineError(fmt::format("'{}' {}", file.name(), what),
                          "Export it as LAS 1.4; if it already is LAS 1.4, copy it again.");
    };
    if (major != 1 || header.minor > 4)
        refuseKind(fmt::format("is of LAS version {}.{}, which is unsupported; supported are 1.0 to 1.4",
                               major, header.minor));
    if (header.pointFormat > 10 || (format & 0x40))
        refuseKind(fmt::format("has point format {}, which is unsupported; supported are 0 to 10", format));
    if (header.minor == 4 && file.size() < kHeaderSize14)
        refuse(fmt::format("has {} bytes: too few for the header of LAS 1.4", file.size()));
    header.recordLength = loadLittle<std::uint16_t>(head + 105);
    if (header.recordLength < lasPointSize(header.pointFormat))
        refuse(fmt::format("has a header with {} bytes per point, but point format {} needs at least {}",
                           header.recordLength, header.pointFormat, lasPointSize(header.pointFormat)));
    header.pointOffset = loadLittle<std::uint32_t>(head + 96);
    header.size = loadLittle<std::uint16_t>(head + 94);
    header.identity = identityOf(head);
    if (header.pointOffset < kHeaderSize)
        refuse(fmt::format("has a header that specifies the points at byte {}, inside the header itself",
                           header.pointOffset));
    readCounts(head, header);
    header.scale = loadAxes(head, 131, 8);
    header.offset = loadAxes(head, 155, 8);
    header.max = loadAxes(head, 179, 16);
    header.min = loadAxes(head, 187, 16);
    repairScaleAndOffset(header);
    readVlrs(file, header, std::max<std::uint64_t>(header.size, kHeaderSize),
             loadLittle<std::uint32_t>(head + 100));
    if (header.minor == 4)
        readEvlrs(file, header, head);
    if (header.minor >= 3 && header.size >= lasHeaderSize(3))
        findWaveformEvlr(file, header, head);
    return header;
}

} // namespace scanloupe
