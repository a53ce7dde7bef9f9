#pragma once
// Declares the rows of a text file, found and loaded in chunks.
#include "engine/io/common/input_file.h"
#include "engine/io/common/progress_meter.h"

#include <cstring>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

constexpr std::uint64_t kLongestTextLine = std::uint64_t{1} << 20; ///< bytes

[[noreturn]] void throwLineTooLong(const InputFile& file);

/// A range of the file that begins and ends at line boundaries.
struct TextChunk {
    std::uint64_t begin = 0, end = 0; ///< bytes
    std::uint64_t firstRow = 0, rows = 0;
};

/// Whether a backslash at the end of a line joins it with the next line.
enum class LineContinuation { none, backslash };

/// Blanks out line continuations (a backslash and the line end), so that a row of several lines becomes one
/// line. Comments are not continued: paths in comments end with backslashes, too.
void joinContinuedLines(std::span<char> text, char newline);

/// All rows of a file from an offset on. A row is a line that is neither blank nor a comment (# or //); a
/// byte order mark at the beginning of the file is part of none.
class TextRows {
public:
    /// Counts the rows. `newline` ends lines: \n, or \r in files of old Macs. Adds one unit a byte to
    /// `meter`. @throws EngineError when a line is longer than a megabyte (the file is no text then), or
    /// reading fails; Cancelled
    TextRows(const InputFile& file, std::uint64_t begin, char newline, ProgressMeter& meter,
             const std::stop_token& stop, LineContinuation continuation = LineContinuation::none);

    std::uint64_t count() const { return m_count; }
    char newline() const { return m_newline; }
    /// As TextRowCursor::lineAt, for a row or two.
    std::string lineAt(std::uint64_t row) const;
    /// The chunks with the rows [first, first + count).
    std::span<const TextChunk> chunks(std::uint64_t first, std::uint64_t count) const;
    /// The bytes of a chunk, with continued lines joined.
    std::vector<char> load(const TextChunk& chunk) const;

private:
    void findChunks(std::uint64_t begin, const std::stop_token& stop);
    bool isContinued(std::uint64_t lineEnd) const;

    const InputFile& m_file;
    char m_newline;
    LineContinuation m_continuation;
    std::vector<TextChunk> m_chunks;
    std::uint64_t m_count = 0;
};

/// Accesses single rows; each chunk is loaded and scanned once if row numbers ascend.
class TextRowCursor {
public:
    explicit TextRowCursor(const TextRows& rows) : m_rows(rows) {}
    /// The beginning of row `row`'s line, at most 4096 characters; empty when there is none.
    std::string lineAt(std::uint64_t row);

private:
    const TextRows& m_rows;
    TextChunk m_chunk; ///< the chunk in m_text
    std::vector<char> m_text;
    std::uint64_t m_row = 0; ///< the row that begins at m_at
    std::size_t m_at = 0;
};

/// Calls `visit(begin, end)` for each row of `text`, including the blanks around it (tabs may be delimiters),
/// until `visit` returns false.
template <class F>
void visitRows(std::span<const char> text, char newline, F&& visit) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p < end) {
        const auto* found =
            static_cast<const char*>(std::memchr(p, newline, static_cast<std::size_t>(end - p)));
        const char* lineEnd = found ? found : end;
        while (p < lineEnd && (*p == '\n' || *p == '\r')) // from line ends of another system
            ++p;
        const char* first = p;
        while (first < lineEnd && (*first == ' ' || *first == '\t' || *first == '\r'))
            ++first;
        const bool comment =
            first < lineEnd && (*first == '#' || (*first == '/' && first + 1 < lineEnd && first[1] == '/'));
        if (first < lineEnd && !comment && !visit(p, lineEnd))
            return;
        p = lineEnd + 1;
    }
}

} // namespace scanloupe
