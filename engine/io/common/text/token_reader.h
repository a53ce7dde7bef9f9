#pragma once
// Declares the reader for tokens of texts in which line ends are equivalent to blanks, as in VTK files.
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

/// Reads a file sequentially, token by token, through one block of memory. Checks the stop token at each
/// block, so that callers need not. @throws Cancelled
class TokenReader {
public:
    TokenReader(const InputFile& file, std::uint64_t offset, const std::stop_token& stop)
        : m_file(file), m_stop(stop), m_start(offset) {}

    /// Returns the next token, valid until the next call; empty at the end of the file.
    /// @throws EngineError if a token is longer than a megabyte, so that the file is not text
    std::string_view next();
    /// Returns the rest of the line without its end, valid until the next call. @throws EngineError as next()
    std::string_view line();
    /// The offset of the next byte in the file.
    std::uint64_t position() const { return m_start + m_at; }
    void seek(std::uint64_t offset);

private:
    bool fill(); ///< appends more bytes to those not consumed yet; false at the end of the file
    /// Consumes and returns the bytes from m_at up to the first one that `isEnd` accepts.
    template <class F>
    std::string_view readUntil(F&& isEnd);

    const InputFile& m_file;
    const std::stop_token& m_stop;
    std::uint64_t m_start; ///< offset of the block in the file
    std::size_t m_at = 0;  ///< position in the block
    std::vector<char> m_block;
};

} // namespace scanloupe
