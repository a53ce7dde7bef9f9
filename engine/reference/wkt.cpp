// Parses well-known text by recursive descent.
#include "engine/reference/wkt.h"

#include <algorithm>
#include <cctype>

namespace scanloupe {

namespace {

constexpr int kDeepest = 32; // real ones are nested 8 deep

bool isSpace(char sign) {
    return std::isspace(static_cast<unsigned char>(sign)) != 0;
}
bool isOpening(char sign) {
    return sign == '[' || sign == '(';
}
bool isClosing(char sign) {
    return sign == ']' || sign == ')';
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    std::optional<WktNode> parse(int depth) {
        const std::string word = bareWord();
        skipSpaces();
        if (word.empty() || depth > kDeepest || m_at >= m_text.size() || !isOpening(m_text[m_at]))
            return std::nullopt;
        WktNode node{word, {}, {}};
        std::ranges::transform(node.keyword, node.keyword.begin(),
                               [](unsigned char sign) { return char(std::toupper(sign)); });
        ++m_at;
        while (skipSpaces(), m_at < m_text.size() && !isClosing(m_text[m_at])) {
            if (m_text[m_at] == ',')
                ++m_at;
            else if (!readItem(node, depth))
                return std::nullopt;
        }
        m_at += m_at < m_text.size();
        return node;
    }

private:
    void skipSpaces() {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
    }

    /// A keyword, a number or a word without quotes.
    std::string bareWord() {
        skipSpaces();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && !isOpening(m_text[m_at]) &&
               !isClosing(m_text[m_at]) && m_text[m_at] != ',' && m_text[m_at] != '"')
            ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }

    std::string quoted() {
        std::string text;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '"') {
                ++m_at;
                if (m_at >= m_text.size() || m_text[m_at] != '"') // two stand for one
                    break;
            }
            text += m_text[m_at];
        }
        return text;
    }

    /// False: nothing that the grammar knows.
    bool readItem(WktNode& node, int depth) {
        if (m_text[m_at] == '"') {
            node.values.push_back(quoted());
            return true;
        }
        const std::size_t begin = m_at;
        std::string word = bareWord();
        if (word.empty())
            return false;
        skipSpaces();
        if (m_at >= m_text.size() || !isOpening(m_text[m_at])) {
            node.values.push_back(std::move(word));
            return true;
        }
        m_at = begin;
        auto child = parse(depth + 1);
        if (child)
            node.children.push_back(std::move(*child));
        return child.has_value();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

const WktNode* WktNode::child(std::span<const std::string_view> keywords) const {
    const auto found = std::ranges::find_if(children, [&](const WktNode& one) {
        return std::ranges::find(keywords, one.keyword) != keywords.end();
    });
    return found == children.end() ? nullptr : &*found;
}

std::optional<WktNode> parseWkt(std::string_view text) {
    return Parser(text).parse(0);
}

} // namespace scanloupe
