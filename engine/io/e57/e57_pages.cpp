// Reads pages of E57 files and verifies their CRC-32C checksums.
#include "engine/io/e57/e57_pages.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"

#include <array>
#include <fmt/format.h>

namespace scanloupe {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// Returns lookup tables for CRC-32C (Castagnoli polynomial), for eight bytes at a time (slicing-by-8).
Tables makeTables() {
    Tables tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0u);
        tables[0][i] = crc;
    }
    for (std::size_t t = 1; t < tables.size(); ++t)
        for (std::size_t i = 0; i < 256; ++i)
            tables[t][i] = tables[t - 1][i] >> 8 ^ tables[0][tables[t - 1][i] & 255];
    return tables;
}

std::uint32_t checksum(std::span<const std::byte> bytes) {
    static const Tables tables = makeTables();
    std::uint32_t crc = 0xffffffff;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        const std::uint32_t a = crc ^ loadLittle<std::uint32_t>(bytes.data() + i);
        const auto b = loadLittle<std::uint32_t>(bytes.data() + i + 4);
        crc = 0;
        for (std::size_t k = 0; k < 4; ++k)
            crc ^= tables[7 - k][a >> 8 * k & 255] ^ tables[3 - k][b >> 8 * k & 255];
    }
    for (; i < bytes.size(); ++i)
        crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(bytes[i])) & 255];
    return ~crc;
}

std::uint32_t loadBig(const std::byte* from) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value = value << 8 | std::to_integer<std::uint32_t>(from[i]);
    return value;
}

} // namespace

std::string E57ChecksumError::sentence() const {
    return fmt::format("Page {} of {} is damaged: its checksum does not fit its bytes.", page + 1, pages);
}

E57Pages::E57Pages(const InputFile& file) : m_file(file) {
    constexpr std::size_t headSize = 48;
    const auto refuse = [&](const std::string& what) {
        throw EngineError(fmt::format("'{}' {}", file.name(), what),
                          "The file is damaged or truncated. Copy or export it again.");
    };
    std::byte head[headSize] = {};
    file.read(
        0, std::span(head).first(static_cast<std::size_t>(std::min<std::uint64_t>(headSize, file.size()))));
    if (file.size() < headSize || loadText(head, 8) != "ASTM-E57")
        refuse("does not begin with 'ASTM-E57'");
    const auto major = loadLittle<std::uint32_t>(head + 8);
    m_page = loadLittle<std::uint64_t>(head + 40);
    constexpr std::uint64_t largest = 1 << 20; // the standard only allows 1024
    if (major != 1)
        refuse(fmt::format("has the unsupported E57 version {} (supported: 1)", major));
    if (m_page < 64 || m_page > largest)
        refuse(fmt::format("specifies an invalid page size of {} bytes", m_page));
    if (file.size() < m_page)
        refuse(fmt::format("has {} bytes, less than a page of {} bytes", file.size(), m_page));
    m_xmlOffset = logical(loadLittle<std::uint64_t>(head + 24));
    m_xmlLength = loadLittle<std::uint64_t>(head + 32);
    if (m_xmlOffset >= size() || m_xmlLength > size() - m_xmlOffset)
        refuse("ends before the XML description of its scans, which is at the end of the file");
}

void E57Pages::load(std::uint64_t page) {
    m_loaded = 0;
    m_firstLoaded = page;
    const std::uint64_t count =
        std::min(std::max<std::uint64_t>(1, m_readBytes / m_page), m_file.size() / m_page - page);
    m_bytes.resize(static_cast<std::size_t>(count * m_page));
    m_file.read(page * m_page, m_bytes);
    for (; m_loaded < count; ++m_loaded) {
        const auto bytes = std::span(m_bytes).subspan(static_cast<std::size_t>(m_loaded * m_page),
                                                      static_cast<std::size_t>(m_page));
        if (checksum(bytes.first(bytes.size() - 4)) != loadBig(bytes.data() + bytes.size() - 4))
            break; // a damaged page is reported when it is read itself
    }
    if (m_loaded == 0)
        throw E57ChecksumError{page, m_file.size() / m_page};
}

void E57Pages::read(std::uint64_t offset, std::span<std::byte> target) {
    while (!target.empty()) {
        const std::uint64_t page = offset / payload(), inPage = offset % payload();
        if (page < m_firstLoaded || page >= m_firstLoaded + m_loaded)
            load(page);
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), payload() - inPage));
        const auto* from = m_bytes.data() + (page - m_firstLoaded) * m_page + inPage;
        std::copy(from, from + count, target.begin());
        target = target.subspan(count);
        offset += count;
    }
}

} // namespace scanloupe
