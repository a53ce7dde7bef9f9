// Reads the first rows of a text file, and skips comments of any length.
#include "engine/io/text/text_head.h"

#include "engine/cloud/error.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/text/text_rows.h"

#include <algorithm>
#include <string_view>

namespace scanloupe {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
// number of bytes that suffice if there are at least kEnoughLines lines
constexpr std::size_t kEnoughBytes = std::size_t{1} << 16;
constexpr std::size_t kEnoughLines = 4; // enough for a count, a header and two rows
constexpr std::size_t kMaxComments =
    64; // maximum number of comments kept before a line; they may contain column names

class HeadReader {
public:
    HeadReader(TextHead& head, std::size_t most) : m_head(head), m_most(most) {}

    bool full() const {
        return m_head.lines.size() >= m_most ||
               (m_bytes >= kEnoughBytes && m_head.lines.size() >= kEnoughLines);
    }

    void add(std::string_view text, std::uint64_t offset) {
        const auto isEdge = [](char c) { return c != '\t' && (c == '\n' || isTextBlank(c)); };
        while (!text.empty() && isEdge(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && isEdge(text.back()))
            text.remove_suffix(1);
        const auto* const bareFrom = std::find_if_not(text.begin(), text.end(), isTextBlank);
        if (bareFrom == text.end())
            return;
        const std::string_view bare(bareFrom, text.end());
        if (bare.starts_with("#") || bare.starts_with("//")) {
            if (m_head.comments.size() == kMaxComments)
                m_head.comments.erase(m_head.comments.begin());
            m_head.comments.emplace_back(bare);
            return;
        }
        m_head.lines.push_back({std::string(text), offset, std::move(m_head.comments)});
        m_head.comments.clear();
        m_bytes += text.size();
    }

private:
    TextHead& m_head;
    std::size_t m_most, m_bytes = 0;
};

} // namespace

TextHead readTextHead(const InputFile& file, std::size_t most, const std::stop_token& stop) {
    const std::string first = file.head(kBlock);
    TextHead head;
    head.newline =
        first.find('\n') == std::string::npos && first.find('\r') != std::string::npos ? '\r' : '\n';
    HeadReader reader(head, most);
    std::uint64_t at = first.starts_with("\xEF\xBB\xBF") ? 3 : 0; // skips the byte order mark of UTF-8
    std::uint64_t lineAt = at;
    std::string line; // beginning of the current line, from previous blocks
    std::vector<char> block(kBlock);
    while (at < file.size() && !reader.full()) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, file.size() - at));
        file.read(at, std::span(block).first(size));
        std::string_view rest(block.data(), size);
        for (std::size_t end = rest.find(head.newline); end != std::string_view::npos && !reader.full();
             end = rest.find(head.newline)) {
            line += rest.substr(0, end);
            reader.add(line, lineAt);
            lineAt += line.size() + 1;
            line.clear();
            rest.remove_prefix(end + 1);
        }
        line += rest;
        if (line.size() > kLongestTextLine && !reader.full())
            throwLineTooLong(file);
        at += size;
    }
    if (!reader.full())
        reader.add(line, lineAt);
    return head;
}

} // namespace scanloupe
