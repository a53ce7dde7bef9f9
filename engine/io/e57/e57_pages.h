#pragma once
// Declares the paged file layer of E57 (ASTM E2807): pages of bytes with a checksum each. The logical content
// of the file is the concatenation of its pages without their checksums.
#include "engine/io/common/input_file.h"

#include <algorithm>

namespace scanloupe {

/// Raised when a page's checksum does not fit its bytes.
struct E57ChecksumError {
    std::uint64_t page = 0, pages = 0;
    std::string sentence() const; ///< for messages
};

class E57Pages {
public:
    /// @throws EngineError when the file has no valid E57 header
    explicit E57Pages(const InputFile& file);
    /// A reader of the same file for another thread, which reads `readBytes` bytes at a time.
    E57Pages clone(std::uint64_t readBytes) const { return {*this, readBytes}; }

    /// Logical size, in bytes without checksums.
    std::uint64_t size() const {
        return m_file.size() / m_page * payload();
    } // a truncated page has no checksum
    /// The logical offset of the physical offset `physical` in the file.
    std::uint64_t logical(std::uint64_t physical) const {
        return physical / m_page * payload() + std::min(physical % m_page, payload());
    }
    /// Reads the logical bytes [offset, offset + target.size()), which must be within size().
    /// @throws E57ChecksumError; EngineError
    void read(std::uint64_t offset, std::span<std::byte> target);

    std::uint64_t xmlOffset() const { return m_xmlOffset; } ///< logical
    std::uint64_t xmlLength() const { return m_xmlLength; } ///< as claimed
    const InputFile& file() const { return m_file; }

private:
    E57Pages(const E57Pages& other, std::uint64_t readBytes)
        : m_file(other.m_file), m_page(other.m_page), m_xmlOffset(other.m_xmlOffset),
          m_xmlLength(other.m_xmlLength), m_readBytes(readBytes) {}
    std::uint64_t payload() const { return m_page - 4; }
    void load(std::uint64_t page);

    const InputFile& m_file;
    std::uint64_t m_page = 1024, m_xmlOffset = 0, m_xmlLength = 0;
    std::uint64_t m_readBytes = std::uint64_t{1} << 18; ///< physical bytes
    std::vector<std::byte> m_bytes;                     ///< content of the loaded pages
    std::uint64_t m_firstLoaded = 0, m_loaded = 0;      ///< pages
};

} // namespace scanloupe
