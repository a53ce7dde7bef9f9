#pragma once
// Declares the reader of tokens of a text in which line ends are mere blanks, as in VTK files.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

/// Reads a file token by token from front to back, through one block of memory. Polls the stop token at each
/// block, so that callers need not. @throws Cancelled
class TokenReader {
public:
    TokenReader(const InputFile& file, std::uint64_t offset, const std::stop_token& stop)
        : m_file(file), m_stop(stop), m_start(offset) {}

    /// The next token, valid until the next call; empty at the end of the file.
    /// @throws EngineError when a token is longer than a megabyte: the file is no text then
    std::string_view next();
    /// The rest of the line, without its end, valid until the next call. @throws EngineError as next() does
    std::string_view line();
    /// The offset of the next byte in the file.
    std::uint64_t position() const { return m_start + m_at; }
    void seek(std::uint64_t offset);

private:
    bool fill(); ///< reads more bytes after those not yet consumed; false at the end of the file
    /// Consumes the bytes from m_at on up to the first that `isEnd` accepts, and returns them.
    template <class F>
    std::string_view readUntil(F&& isEnd);

    const InputFile& m_file;
    const std::stop_token& m_stop;
    std::uint64_t m_start; ///< offset of the block in the file
    std::size_t m_at = 0;  ///< in the block
    std::vector<char> m_block;
};

} // namespace scanloupe
