// Locates and counts the rows of a text file, in chunks on all cores.
#include "engine/io/text/text_rows.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/utf8.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <string_view>

namespace scanloupe {

namespace {
constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 18; // about a few milliseconds of parsing
} // namespace

void throwLineTooLong(const InputFile& file) {
    throw EngineError("'" + file.name() +
                          "' has a line longer than 1 MiB, so it is probably not a text with points",
                      "Check the file's format; its name may have the wrong extension.");
}

void joinContinuedLines(std::span<char> text, char newline) {
    char *p = text.data(), *begin = p; // `begin` is the start of the unexamined text
    char* const end = p + text.size();
    bool beginsRow = true, isComment = false;
    while (p < end && (p = static_cast<char*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p))))) {
        char* lineEnd = p + 1;
        if (newline == '\n' && lineEnd < end && *lineEnd == '\r')
            ++lineEnd;
        if (lineEnd == end || *lineEnd != newline) {
            ++p;
            continue;
        }
        std::string_view line(begin, static_cast<std::size_t>(p - begin));
        if (const std::size_t last = line.rfind(newline); last != std::string_view::npos) {
            line.remove_prefix(last + 1);
            beginsRow = true;
            isComment = false;
        }
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
        isComment =
            isComment || line.find('#') != std::string_view::npos || (beginsRow && line.starts_with("//"));
        if (!isComment)
            std::fill(p, lineEnd + 1, ' ');
        beginsRow = isComment;
        isComment = false;
        p = begin = lineEnd + 1;
    }
}

TextRows::TextRows(const InputFile& file, std::uint64_t begin, char newline, ProgressMeter& meter,
                   const std::stop_token& stop, LineContinuation continuation)
    : m_file(file), m_newline(newline), m_continuation(continuation) {
    if (begin == 0) {
        const std::string head = file.head(4);
        begin = head.size() - withoutByteOrderMark(head).size();
    }
    findChunks(begin, stop);
    parallelFor(m_chunks.size(), 1, stop, [&](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c) {
            const auto text = load(m_chunks[c]);
            visitRows(text, m_newline, [&](const char*, const char*) {
                ++m_chunks[c].rows;
                return true;
            });
            meter.add(text.size());
        }
    });
    for (TextChunk& chunk : m_chunks) {
        chunk.firstRow = m_count;
        m_count += chunk.rows;
    }
}

void TextRows::findChunks(std::uint64_t begin, const std::stop_token& stop) {
    std::vector<char> block(4096);
    while (begin < m_file.size()) {
        if (stop.stop_requested())
            throw Cancelled();
        std::uint64_t end = std::min(begin + kChunkBytes, m_file.size());
        // extends the chunk to the end of its last line
        while (end < m_file.size()) {
            const auto size =
                static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), m_file.size() - end));
            m_file.read(end, std::span(block).first(size));
            const auto found =
                std::find(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size), m_newline);
            const bool here = found != block.begin() + static_cast<std::ptrdiff_t>(size);
            end += static_cast<std::uint64_t>(found - block.begin()) + (here ? 1 : 0);
            if (here && !isContinued(end - 1))
                break;
            if (end - begin > kChunkBytes + kLongestTextLine)
                throwLineTooLong(m_file);
        }
        m_chunks.push_back({begin, end, 0, 0});
        begin = end;
    }
}

/// Returns whether the line that ends at an offset is continued, so that no chunk may end there.
bool TextRows::isContinued(std::uint64_t lineEnd) const {
    if (m_continuation == LineContinuation::none)
        return false;
    char before[2]{};
    const std::uint64_t size = std::min<std::uint64_t>(2, lineEnd);
    m_file.read(lineEnd - size, std::span(before).first(static_cast<std::size_t>(size)));
    const std::string_view text(before, static_cast<std::size_t>(size));
    return text.ends_with('\\') || (m_newline == '\n' && text == "\\\r");
}

std::vector<char> TextRows::load(const TextChunk& chunk) const {
    std::vector<char> text(static_cast<std::size_t>(chunk.end - chunk.begin));
    m_file.read(chunk.begin, std::span<char>(text));
    if (m_continuation == LineContinuation::backslash)
        joinContinuedLines(text, m_newline);
    return text;
}

std::span<const TextChunk> TextRows::chunks(std::uint64_t first, std::uint64_t count) const {
    const auto begin = std::partition_point(m_chunks.begin(), m_chunks.end(), [&](const TextChunk& chunk) {
        return chunk.firstRow + chunk.rows <= first;
    });
    const auto end = std::partition_point(
        begin, m_chunks.end(), [&](const TextChunk& chunk) { return chunk.firstRow < first + count; });
    return {begin, end};
}

std::string TextRows::lineAt(std::uint64_t row) const {
    return TextRowCursor(*this).lineAt(row);
}

std::string TextRowCursor::lineAt(std::uint64_t row) {
    if (row >= m_rows.count())
        return {};
    if (row >= m_chunk.firstRow + m_chunk.rows || row < m_chunk.firstRow) {
        m_chunk = m_rows.chunks(row, 1).front();
        m_text = m_rows.load(m_chunk);
        m_row = m_chunk.firstRow;
        m_at = 0;
    }
    if (row < m_row) {
        m_row = m_chunk.firstRow;
        m_at = 0;
    }
    std::string line;
    const auto rest = std::span<const char>(m_text).subspan(m_at);
    visitRows(rest, m_rows.newline(), [&](const char* begin, const char* end) {
        if (m_row < row) {
            ++m_row;
            return true;
        }
        m_at = static_cast<std::size_t>(begin - m_text.data());
        constexpr std::ptrdiff_t most = 4096;
        line.assign(begin, std::min(end - begin, most));
        return false;
    });
    return line;
}

} // namespace scanloupe
