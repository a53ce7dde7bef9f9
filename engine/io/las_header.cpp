#include "engine/io/las_header.h"

#include "engine/cloud/error.h"
#include "engine/io/little_endian.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::size_t kHeaderSize = 227, kHeaderSize14 = 375;
constexpr std::uint64_t kRecordHead = 54, kExtendedRecordHead = 60;
constexpr std::size_t kMostRecords = 65536; // real files have a dozen; garbage counts end here

Vec3d loadAxes(const std::byte* head, std::size_t at, std::size_t step) {
    return {loadLittle<double>(head + at), loadLittle<double>(head + at + step),
            loadLittle<double>(head + at + 2 * step)};
}

/// Scale and offset that no number can come from are replaced, and told.
void mendFrame(LasHeader& header) {
    for (int axis = 0; axis < 3; ++axis) {
        double& scale = header.scale[axis];
        if (!std::isfinite(scale) || scale == 0) {
            header.warnings.push_back(
                fmt::format("The header's scale of {} is {}, which can't be: the stored "
                            "integers were taken as they are.",
                            "xyz"[axis], scale));
            scale = 1;
        }
        double& offset = header.offset[axis];
        if (!std::isfinite(offset)) {
            header.warnings.push_back(
                fmt::format("The header's offset of {} is no number: taken as 0.", "xyz"[axis]));
            offset = 0;
        }
    }
}

/// Records before the points: each has a head of 54 bytes.
void readRecords(const InputFile& file, LasHeader& header, std::uint64_t begin, std::uint32_t count) {
    const std::uint64_t end = std::min(header.pointOffset, file.size());
    std::uint64_t at = begin;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool headFits = at <= end && end - at >= kRecordHead && i < kMostRecords;
        std::byte head[kRecordHead];
        if (headFits)
            file.read(at, std::span<std::byte>(head));
        const std::uint64_t length = headFits ? loadLittle<std::uint16_t>(head + 20) : 0;
        if (!headFits || length > end - at - kRecordHead) {
            header.warnings.push_back(
                fmt::format("The header claims {} records before the points, but only {} of them fit there; "
                            "the others were left out.",
                            count, header.records.size()));
            return;
        }
        header.records.push_back(
            {loadText(head + 2, 16), loadLittle<std::uint16_t>(head + 18), at + kRecordHead, length});
        at += kRecordHead + length;
    }
}

/// Records behind the points (LAS 1.4), with a head of 60 bytes.
void readExtendedRecords(const InputFile& file, LasHeader& header, const std::byte* head14) {
    std::uint64_t at = loadLittle<std::uint64_t>(head14 + 235);
    const auto count = loadLittle<std::uint32_t>(head14 + 243);
    std::size_t found = 0;
    for (; found < count && found < kMostRecords; ++found) {
        if (at < header.pointOffset || at >= file.size() || file.size() - at < kExtendedRecordHead)
            break;
        std::byte head[kExtendedRecordHead];
        file.read(at, std::span<std::byte>(head));
        const auto length = loadLittle<std::uint64_t>(head + 20);
        if (length > file.size() - at - kExtendedRecordHead)
            break;
        header.records.push_back(
            {loadText(head + 2, 16), loadLittle<std::uint16_t>(head + 18), at + kExtendedRecordHead, length});
        at += kExtendedRecordHead + length;
    }
    if (found < count)
        header.warnings.push_back(fmt::format(
            "The header claims {} records behind the points, but only {} of them are in the file.", count,
            found));
}

void readCounts(const std::byte* head, LasHeader& header) {
    const std::uint64_t legacy = loadLittle<std::uint32_t>(head + 107);
    header.points = legacy;
    if (header.minor < 4)
        return;
    const auto wide = loadLittle<std::uint64_t>(head + 247);
    if (wide == 0)
        return; // some writers fill in the old count only
    header.points = wide;
    if (legacy != 0 && legacy != wide)
        header.warnings.push_back(fmt::format(
            "The header has two counts of points, {} and {}; the wider one was taken.", legacy, wide));
}

} // namespace

const LasRecord* LasHeader::record(std::string_view user, int id) const {
    for (const LasRecord& one : records)
        if (one.is(user, id))
            return &one;
    return nullptr;
}

std::size_t lasPointSize(int format) {
    constexpr std::size_t sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
    return sizes[format];
}

LasHeader readLasHeader(const InputFile& file) {
    const auto refuse = [&](const std::string& what) {
        throw EngineError(fmt::format("'{}' {}", file.name(), what),
                          "The file is damaged or cut off: copy or export it once more.");
    };
    if (file.size() < kHeaderSize)
        refuse(fmt::format("has {} bytes: too few for the header of a LAS file", file.size()));
    std::byte head[kHeaderSize14] = {};
    file.read(0, std::span(head).first(
                     static_cast<std::size_t>(std::min<std::uint64_t>(kHeaderSize14, file.size()))));
    if (loadText(head, 4) != "LASF")
        refuse("does not begin as a LAS file does");
    LasHeader header;
    const int major = std::to_integer<int>(head[24]);
    header.minor = std::to_integer<int>(head[25]);
    const int format = std::to_integer<int>(head[104]);
    header.compressed = (format & 0xc0) == 0x80; // what LASzip sets, so that others do not try
    header.pointFormat = format & 0x3f;
    if (major != 1 || header.minor > 4)
        refuse(fmt::format("is of LAS version {}.{}, which is unknown; known are 1.0 to 1.4", major,
                           header.minor));
    if (header.pointFormat > 10 || (format & 0x40))
        refuse(fmt::format("has point format {}, which is unknown; known are 0 to 10", format));
    if (header.minor == 4 && file.size() < kHeaderSize14)
        refuse(fmt::format("has {} bytes: too few for the header of LAS 1.4", file.size()));
    header.recordLength = loadLittle<std::uint16_t>(head + 105);
    if (header.recordLength < lasPointSize(header.pointFormat))
        refuse(fmt::format("claims {} bytes a point, but point format {} takes {}", header.recordLength,
                           header.pointFormat, lasPointSize(header.pointFormat)));
    header.pointOffset = loadLittle<std::uint32_t>(head + 96);
    const std::uint64_t headerSize = loadLittle<std::uint16_t>(head + 94);
    if (header.pointOffset < kHeaderSize)
        refuse(fmt::format("claims that its points begin at byte {}, within its own header",
                           header.pointOffset));
    readCounts(head, header);
    header.scale = loadAxes(head, 131, 8);
    header.offset = loadAxes(head, 155, 8);
    header.max = loadAxes(head, 179, 16);
    header.min = loadAxes(head, 187, 16);
    mendFrame(header);
    readRecords(file, header, std::max<std::uint64_t>(headerSize, kHeaderSize),
                loadLittle<std::uint32_t>(head + 100));
    if (header.minor == 4)
        readExtendedRecords(file, header, head);
    return header;
}

} // namespace scanloupe
