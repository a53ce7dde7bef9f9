#pragma once
// An E57 file is pages of bytes with a checksum each (ASTM E2807): what is in it lies in the pages without
// their checksums, one behind the other.
#include "engine/io/input_file.h"

#include <algorithm>

namespace scanloupe {

/// Raised when a page's checksum does not fit its bytes.
struct E57ChecksumError {
    std::uint64_t page = 0, pages = 0;
    std::string sentence() const; ///< what is wrong
};

class E57Pages {
public:
    /// @throws EngineError when the file does not begin as E57 does
    explicit E57Pages(const InputFile& file);
    /// The same file for another thread, or to read it another way: `readBytes` bytes at a time.
    E57Pages clone(std::uint64_t readBytes) const { return {*this, readBytes}; }

    /// Bytes without checksums.
    std::uint64_t size() const {
        return m_file.size() / m_page * payload();
    } // a page that is cut off has no checksum
    /// The place among the bytes without checksums of byte `physical` of the file.
    std::uint64_t logical(std::uint64_t physical) const {
        return physical / m_page * payload() + std::min(physical % m_page, payload());
    }
    /// The bytes [offset, offset + target.size()), all of which must be there. @throws E57ChecksumError;
    /// EngineError
    void read(std::uint64_t offset, std::span<std::byte> target);

    std::uint64_t xmlOffset() const { return m_xmlOffset; } ///< without checksums
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
    std::uint64_t m_readBytes = std::uint64_t{1} << 18; ///< bytes of the file
    std::vector<std::byte> m_bytes;                     ///< of some pages
    std::uint64_t m_firstLoaded = 0, m_loaded = 0;      ///< which
};

} // namespace scanloupe
