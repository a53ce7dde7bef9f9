#pragma once
// LAS files built by tests, byte by byte after the specification.
#include "engine/io/common/little_endian.h"
#include "engine/io/las/las_header.h"
#include "tests/engine/io/test_io_support.h"

namespace scanloupe::test {

/// A LAS file of `points` points whose bytes depend on their index: point i has x = i, y = 2 i, z = -i, and
/// its other bytes are (i + offset) % 251.
class LasFile {
public:
    LasFile(int versionMinor, int format, std::size_t extraBytes, std::size_t points)
        : minor(versionMinor), pointFormat(format), recordLength(lasPointSize(format) + extraBytes),
          count(points), claimed(points) {}

    int minor, pointFormat;
    std::size_t recordLength, count;
    std::uint64_t claimed;
    std::uint32_t legacyClaimed = 0; ///< legacy point count of LAS 1.4; older versions store `claimed` there
    std::string records;             ///< bytes of the variable length records before the points
    std::uint32_t recordCount = 0;
    std::string padding; ///< bytes between the records and the points
    Vec3d scale{0.001, 0.01, 0.25}, offset{500000, 5400000, 0};

    static std::uint8_t byteOf(std::size_t point, std::size_t place) {
        return static_cast<std::uint8_t>((point + place) % 251);
    }
    void addRecord(const std::string& user, int id, const std::string& content) {
        std::string head(54, '\0');
        head.replace(2, user.size(), user);
        head[18] = static_cast<char>(id & 255);
        head[19] = static_cast<char>(id >> 8);
        head[20] = static_cast<char>(content.size() & 255);
        head[21] = static_cast<char>(content.size() >> 8);
        records += head + content;
        ++recordCount;
    }
    /// A record that describes extra bytes; `code` is the data type in table 24 of the specification.
    static std::string extraRecord(int code, const std::string& name, double factor = 1, double addend = 0,
                                   int options = 0) {
        std::vector<std::byte> record(192);
        record[2] = static_cast<std::byte>(code);
        record[3] = static_cast<std::byte>(options | (factor != 1 ? 8 : 0) | (addend != 0 ? 16 : 0));
        std::memcpy(record.data() + 4, name.data(), name.size());
        storeLittle(record.data() + 112, factor);
        storeLittle(record.data() + 136, addend);
        return {reinterpret_cast<const char*>(record.data()), record.size()};
    }
    std::string point(std::size_t i) const {
        std::vector<std::byte> record(recordLength);
        for (std::size_t place = 12; place < recordLength; ++place)
            record[place] = static_cast<std::byte>(byteOf(i, place));
        storeLittle(record.data(), static_cast<std::int32_t>(i));
        storeLittle(record.data() + 4, static_cast<std::int32_t>(2 * i));
        storeLittle(record.data() + 8, -static_cast<std::int32_t>(i));
        return {reinterpret_cast<const char*>(record.data()), record.size()};
    }
    std::string header() const {
        const std::size_t size = minor < 3 ? 227 : minor == 3 ? 235 : 375;
        std::vector<std::byte> head(size);
        std::memcpy(head.data(), "LASF", 4);
        head[24] = std::byte{1};
        head[25] = static_cast<std::byte>(minor);
        storeLittle(head.data() + 94, static_cast<std::uint16_t>(size));
        storeLittle(head.data() + 96, static_cast<std::uint32_t>(size + records.size() + padding.size()));
        storeLittle(head.data() + 100, recordCount);
        head[104] = static_cast<std::byte>(pointFormat);
        storeLittle(head.data() + 105, static_cast<std::uint16_t>(recordLength));
        storeLittle(head.data() + 107, minor == 4 ? legacyClaimed : static_cast<std::uint32_t>(claimed));
        if (minor == 4)
            storeLittle(head.data() + 247, claimed);
        const double last = count ? static_cast<double>(count - 1) : 0;
        const Vec3d far{last, 2 * last, -last};
        for (int axis = 0; axis < 3; ++axis) {
            storeLittle(head.data() + 131 + 8 * axis, scale[axis]);
            storeLittle(head.data() + 155 + 8 * axis, offset[axis]);
            const double a = offset[axis], b = far[axis] * scale[axis] + offset[axis];
            storeLittle(head.data() + 179 + 16 * axis, std::max(a, b));
            storeLittle(head.data() + 187 + 16 * axis, std::min(a, b));
        }
        return {reinterpret_cast<const char*>(head.data()), head.size()};
    }
    std::string content() const {
        std::string all = header() + records + padding;
        for (std::size_t i = 0; i < count; ++i)
            all += point(i);
        return all;
    }
};

} // namespace scanloupe::test
