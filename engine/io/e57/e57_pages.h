#pragma once
// Declares the page layer of E57 (ASTM E2807). A file consists of pages with a checksum each; its logical
// content is the concatenation of the pages without checksums.
#include "engine/io/common/input_file.h"

#include <algorithm>

namespace scanloupe {

/// Thrown if a page's checksum does not match its bytes.
struct E57ChecksumError {
    std::uint64_t page = 0, pages = 0;
    std::string sentence() const; ///< returns the message
};

class E57Pages {
public:
    /// @throws EngineError if the file has no valid E57 header
    explicit E57Pages(const InputFile& file);
    /// Returns a reader of the same file for another thread. @param readBytes number of bytes to read at a
    /// time
    E57Pages clone(std::uint64_t readBytes) const { return {*this, readBytes}; }

    /// Logical size, in bytes without checksums.
    std::uint64_t size() const {
        return m_file.size() / m_page * payload();
    } // a truncated page has no checksum
    /// Converts a physical offset in the file to a logical offset.
    std::uint64_t logical(std::uint64_t physical) const {
        return physical / m_page * payload() + std::min(physical % m_page, payload());
    }
    /// Reads the logical bytes [offset, offset + target.size()), which must be within size().
    /// @throws E57ChecksumError; EngineError
    void read(std::uint64_t offset, std::span<std::byte> target);

    std::uint64_t xmlOffset() const { return m_xmlOffset; } ///< logical offset
    std::uint64_t xmlLength() const {
        return m_xmlLength;
    } ///< length of the XML in the header, not yet checked
    const InputFile& file() const { return m_file; }

private:
    E57Pages(const E57Pages& other, std::uint64_t readBytes)
        : m_file(other.m_file), m_page(other.m_page), m_xmlOffset(other.m_xmlOffset),
          m_xmlLength(other.m_xmlLength), m_readBytes(readBytes) {}
    std::uint64_t payload() const { return m_page - 4; }
    void load(std::uint64_t page);

    const InputFile& m_file;
    std::uint64_t m_page = 1024, m_xmlOffset = 0, m_xmlLength = 0;
    std::uint64_t m_readBytes = std::uint64_t{1} << 18; ///< number of physical bytes to read at a time
    std::vector<std::byte> m_bytes;                     ///< content of the loaded pages
    std::uint64_t m_firstLoaded = 0, m_loaded = 0;      ///< index of the first loaded page, and number of
                                                        ///< loaded pages
};

} // namespace scanloupe
