#pragma once
// E57 files built by tests, with checksums.
#include "engine/io/common/little_endian.h"
#include "tests/engine/io/test_io_support.h"

#include <fmt/format.h>

namespace scanloupe::test {

/// A bit stream, lowest bit first, as E57 packs integers.
class Bits {
public:
    void put(std::uint64_t value, int width) {
        for (int i = 0; i < width; ++i, ++m_count) {
            if (m_count % 8 == 0)
                bytes.push_back('\0');
            bytes.back() =
                static_cast<char>(static_cast<unsigned char>(bytes.back()) | (value >> i & 1) << m_count % 8);
        }
    }
    std::string bytes;

private:
    std::size_t m_count = 0;
};

/// One scan: the XML of its prototype, and the streams of its fields, split into packets of `pieces` bytes of
/// each stream.
struct E57TestScan {
    std::string prototype;
    std::vector<std::string> streams;
    std::uint64_t claimed = 0;
    std::string pose = {};
    std::size_t piece = 7;
    int sharedWith = -1;     ///< index of a scan whose points this scan shares; -1: none
    bool ownSection = false; ///< has its own section, which leads to the packets of the shared scan
    std::string more = {};   ///< further XML elements of the scan
};

/// The stream of a field of floats, or of integers of whole bytes.
template <class T>
std::string streamOf(const std::vector<T>& values) {
    std::string stream;
    for (const T value : values)
        put(stream, value);
    return stream;
}

inline constexpr char kDoubles[] =
    "<cartesianX type=\"Float\"/><cartesianY type=\"Float\"/><cartesianZ type=\"Float\"/>";
/// A scan of `count` points (i, 2 i, -i) as doubles.
inline E57TestScan doubles(int count) {
    std::vector<double> x, y, z;
    for (int i = 0; i < count; ++i) {
        x.push_back(i);
        y.push_back(2 * i);
        z.push_back(-i);
    }
    return {kDoubles, {streamOf(x), streamOf(y), streamOf(z)}, std::uint64_t(count)};
}

inline std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0u);
    }
    return ~crc;
}

/// Converts bytes without checksums to a file of pages with checksums.
inline std::string pagesOf(std::string bytes) {
    constexpr std::size_t payload = 1020;
    bytes.resize((bytes.size() + payload - 1) / payload * payload);
    std::string file;
    for (std::size_t at = 0; at < bytes.size(); at += payload) {
        const std::uint32_t crc = crc32c(std::string_view(bytes).substr(at, payload));
        file += bytes.substr(at, payload);
        for (int i = 3; i >= 0; --i)
            file.push_back(static_cast<char>(crc >> 8 * i));
    }
    return file;
}
inline std::uint64_t physical(std::uint64_t logical) {
    return logical / 1020 * 1024 + logical % 1020;
}

inline std::string packetOf(const std::vector<std::string>& pieces) {
    std::string body;
    for (const std::string& piece : pieces)
        put(body, static_cast<std::uint16_t>(piece.size()));
    for (const std::string& piece : pieces)
        body += piece;
    while ((body.size() + 6) % 4 != 0)
        body.push_back('\0');
    std::string packet("\1\0", 2);
    put(packet, static_cast<std::uint16_t>(body.size() + 6 - 1));
    put(packet, static_cast<std::uint16_t>(pieces.size()));
    return packet + body;
}

inline std::string e57File(const std::vector<E57TestScan>& scans, const std::string& more = {}) {
    std::string bytes(48, '\0'),
        xml = "<?xml version=\"1.0\"?><e57Root type=\"Structure\" "
              "xmlns=\"http://www.astm.org/COMMIT/E57/2010-e57-v1.0\"><data3D type=\"Vector\">";
    std::vector<std::size_t> sections;
    for (const E57TestScan& scan : scans) {
        const bool shares = scan.sharedWith >= 0;
        const std::size_t other = shares ? sections[std::size_t(scan.sharedWith)] : 0;
        const std::size_t section = shares && !scan.ownSection ? other : bytes.size();
        sections.push_back(section);
        xml += fmt::format(
            "<vectorChild type=\"Structure\">{}{}<points type=\"CompressedVector\" fileOffset=\"{}\" "
            "recordCount=\"{}\"><prototype type=\"Structure\">{}</prototype></points></vectorChild>",
            scan.pose, scan.more, physical(section), scan.claimed, scan.prototype);
        if (shares) {
            if (scan.ownSection) {
                std::string head = bytes.substr(other, 32);
                storeLittle(reinterpret_cast<std::byte*>(head.data()) + 8, std::uint64_t{1} << 40);
                bytes += head;
            }
            continue;
        }
        bytes.append(32, '\0');
        // an index packet, which readers skip
        std::string index(16, '\0');
        index[2] = 15;
        const std::size_t data = bytes.size();
        bytes += index;
        std::size_t longest = 0;
        for (const std::string& stream : scan.streams)
            longest = std::max(longest, stream.size());
        for (std::size_t at = 0; at < longest; at += scan.piece) {
            std::vector<std::string> pieces;
            for (const std::string& stream : scan.streams)
                pieces.push_back(at < stream.size() ? stream.substr(at, scan.piece) : std::string());
            bytes += packetOf(pieces);
        }
        bytes[section] = 1;
        auto* head = reinterpret_cast<std::byte*>(bytes.data() + section);
        storeLittle(head + 8, static_cast<std::uint64_t>(bytes.size() - section));
        storeLittle(head + 16, physical(data));
    }
    xml += "</data3D>" + more + "</e57Root>";
    const std::size_t place = bytes.size();
    bytes += xml;
    const std::size_t size = (bytes.size() + 1019) / 1020 * 1024;
    auto* head = reinterpret_cast<std::byte*>(bytes.data());
    std::memcpy(head, "ASTM-E57", 8);
    storeLittle(head + 8, std::uint32_t{1});
    storeLittle(head + 16, static_cast<std::uint64_t>(size));
    storeLittle(head + 24, physical(place));
    storeLittle(head + 32, static_cast<std::uint64_t>(xml.size()));
    storeLittle(head + 40, std::uint64_t{1024});
    return pagesOf(bytes);
}

} // namespace scanloupe::test
