#pragma once
// Declares access to the rows of a text file, which are located and loaded in chunks.
#include "engine/io/common/input_file.h"
#include "engine/io/common/progress_meter.h"

#include <cstring>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

constexpr std::uint64_t kLongestTextLine = std::uint64_t{1} << 20; ///< maximum length of a line, bytes

[[noreturn]] void throwLineTooLong(const InputFile& file);

/// A part of the file that begins and ends at line boundaries.
struct TextChunk {
    std::uint64_t begin = 0, end = 0; ///< file offsets
    std::uint64_t firstRow = 0, rows = 0;
};

/// Whether a backslash at the end of a line joins it with the next line.
enum class LineContinuation { none, backslash };

/// Replaces line continuations (a backslash and the line end) by blanks, so that a row of several lines
/// becomes a single line. Comments are not continued, since they may contain paths that end with a backslash.
void joinContinuedLines(std::span<char> text, char newline);

/// All rows of a file from an offset on. A row is a line that is neither blank nor a comment (# or //). A
/// byte order mark at the beginning of the file is skipped.
class TextRows {
public:
    /// Locates and counts the rows. Adds one unit per byte to `meter`. @param newline line end: \n, or \r in
    /// files of old Macs
    /// @throws EngineError if a line is longer than a megabyte, or if reading fails; Cancelled
    TextRows(const InputFile& file, std::uint64_t begin, char newline, ProgressMeter& meter,
             const std::stop_token& stop, LineContinuation continuation = LineContinuation::none);

    std::uint64_t count() const { return m_count; }
    char newline() const { return m_newline; }
    /// Like TextRowCursor::lineAt(). Loads a chunk in each call; for many rows, use a cursor.
    std::string lineAt(std::uint64_t row) const;
    /// Returns the chunks that contain the rows [first, first + count).
    std::span<const TextChunk> chunks(std::uint64_t first, std::uint64_t count) const;
    /// Returns the bytes of a chunk, with continued lines joined.
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

/// Access to single rows. Each chunk is loaded and scanned only once if row numbers ascend.
class TextRowCursor {
public:
    explicit TextRowCursor(const TextRows& rows) : m_rows(rows) {}
    /// Returns the first 4096 characters of a row; empty if the row does not exist.
    std::string lineAt(std::uint64_t row);

private:
    const TextRows& m_rows;
    TextChunk m_chunk; ///< chunk whose bytes are in m_text
    std::vector<char> m_text;
    std::uint64_t m_row = 0; ///< number of the row that begins at m_at
    std::size_t m_at = 0;    ///< offset in m_text
};

/// Calls `visit(begin, end)` for each row of `text` until `visit` returns false. Rows include leading and
/// trailing blanks, since tabs may be delimiters.
template <class F>
void visitRows(std::span<const char> text, char newline, F&& visit) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p < end) {
        const auto* found =
            static_cast<const char*>(std::memchr(p, newline, static_cast<std::size_t>(end - p)));
        const char* lineEnd = found ? found : end;
        while (p < lineEnd && (*p == '\n' || *p == '\r')) // skips the rest of a line end, as in \r\n
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
