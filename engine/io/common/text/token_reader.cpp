// Reads a text file token by token; line ends count as blanks.
#include "engine/io/common/text/token_reader.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/text_number.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxTokenBytes = std::size_t{1} << 20;

bool isBlankOrEnd(char c) {
    return c == '\n' || isTextBlank(c);
}

} // namespace

void TokenReader::seek(std::uint64_t offset) {
    if (offset >= m_start && offset - m_start <= m_block.size()) {
        m_at = static_cast<std::size_t>(offset - m_start);
        return;
    }
    m_start = offset;
    m_at = 0;
    m_block.clear();
}

bool TokenReader::fill() {
    if (m_stop.stop_requested())
        throw Cancelled();
    m_block.erase(m_block.begin(), m_block.begin() + static_cast<std::ptrdiff_t>(m_at));
    m_start += m_at;
    m_at = 0;
    const std::uint64_t from = m_start + m_block.size();
    if (from >= m_file.size())
        return false;
    if (m_block.size() > kMaxTokenBytes)
        throw EngineError("'" + m_file.name() + "' has a word of more than a megabyte where text is expected",
                          "The file is damaged. Copy or export it again.");
    const std::size_t had = m_block.size();
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(kBlockBytes, m_file.size() - from));
    m_block.resize(had + more);
    m_file.read(from, std::span<char>(m_block).subspan(had));
    return true;
}

template <class F>
std::string_view TokenReader::readUntil(F&& isEnd) {
    std::size_t length = 0;
    for (;;) {
        while (m_at + length < m_block.size() && !isEnd(m_block[m_at + length]))
            ++length;
        if (m_at + length < m_block.size() || !fill())
            break;
    }
    const std::string_view found(m_block.data() + m_at, length);
    m_at += length;
    return found;
}

std::string_view TokenReader::next() {
    do {
        while (m_at < m_block.size() && isBlankOrEnd(m_block[m_at]))
            ++m_at;
    } while (m_at == m_block.size() && fill());
    return readUntil(isBlankOrEnd);
}

std::string_view TokenReader::line() {
    const std::string_view found = readUntil([](char c) { return c == '\n'; });
    if (m_at < m_block.size())
        ++m_at; // skips the end of the line; `found` remains valid
    return found.ends_with('\r') ? found.substr(0, found.size() - 1) : found;
}

} // namespace scanloupe
