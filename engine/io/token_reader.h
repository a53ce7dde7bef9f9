#pragma once
// Words of a text whose lines mean nothing, as in VTK files: blanks and line ends separate alike.
#include "engine/io/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

/// Reads a file word by word from front to back, through one block of memory. Each block looks at the stop
/// token, whatever the words are read for. @throws Cancelled
class TokenReader {
public:
    TokenReader(const InputFile& file, std::uint64_t offset, const std::stop_token& stop)
        : m_file(file), m_stop(stop), m_start(offset) {}

    /// The next word, good until the next call; empty at the end of the file.
    /// @throws EngineError when a word is longer than a block: this is no text then
    std::string_view next();
    /// The rest of the line, without its end, good until the next call. @throws EngineError as next() does
    std::string_view line();
    /// Where the next byte lies.
    std::uint64_t position() const { return m_start + m_at; }
    void seek(std::uint64_t offset);

private:
    bool fill(); ///< gets more bytes behind those not yet given out; false at the end of the file
    /// Moves from m_at on to the first byte that `isEnd` accepts, and gives what lies between.
    template <class F>
    std::string_view upTo(F&& isEnd);

    const InputFile& m_file;
    const std::stop_token& m_stop;
    std::uint64_t m_start; ///< where in the file the block begins
    std::size_t m_at = 0;  ///< in the block
    std::vector<char> m_block;
};

} // namespace scanloupe
