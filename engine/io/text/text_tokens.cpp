// Splits text into lines and tokens, and classifies tokens.
#include "engine/io/text/text_tokens.h"

#include <algorithm>
#include <cctype>

namespace scanloupe {

std::vector<TextLine> splitLines(std::string_view head, std::size_t from, char newline, bool whole) {
    std::vector<TextLine> lines;
    for (std::size_t at = from; at < head.size();) {
        const std::size_t end = head.find(newline, at);
        if (end == std::string_view::npos && !whole)
            break;
        const std::size_t lineEnd = std::min(end, head.size());
        std::string_view text = head.substr(at, lineEnd - at);
        while (!text.empty() && isTextBlank(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && isTextBlank(text.back()))
            text.remove_suffix(1);
        if (!text.empty())
            lines.push_back({text, at, text.starts_with("#") || text.starts_with("//")});
        at = lineEnd + 1;
    }
    return lines;
}

std::vector<std::string> splitTokens(std::string_view line, char delimiter) {
    std::vector<std::string> tokens;
    std::string token;
    bool quoted = false, any = false;
    const auto flush = [&](bool always) {
        while (!token.empty() && isTextBlank(token.back()))
            token.pop_back();
        if (any || always)
            tokens.push_back(token);
        token.clear();
        any = false;
    };
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
            any = true;
        } else if (!quoted && delimiter != ' ' && c == delimiter) {
            flush(true);
        } else if (!quoted && isTextBlank(c)) {
            if (delimiter == ' ')
                flush(false);
            else if (any)
                token += c;
        } else {
            token += c;
            any = true;
        }
    }
    flush(false);
    return tokens;
}

bool isNumber(const std::string& token, TextNumber& number) {
    number = parseNumber(token.data(), token.data() + token.size(), '\0');
    return number.end == token.data() + token.size() && !token.empty();
}

bool isNumber(const std::string& token) {
    TextNumber ignored;
    return isNumber(token, ignored);
}

bool isCount(std::string_view line) {
    return !line.empty() && line.size() < 19 &&
           std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool isCommaNumber(std::string token) {
    const auto comma = token.find(',');
    if (comma == std::string::npos)
        return isNumber(token);
    if (comma == 0 || comma + 1 == token.size())
        return false;
    token[comma] = '.';
    return isNumber(token);
}

bool isMissing(std::string_view token) {
    constexpr std::string_view words[] = {"",     "na",   "n/a", "#n/a", "<na>", "nil",
                                          "null", "none", "-",   "--",   "\\n"};
    std::string lower(token);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(std::begin(words), std::end(words), lower) != std::end(words);
}

char sniffDelimiter(std::string_view row) {
    for (const char delimiter : {';', '|', ','})
        if (row.find(delimiter) != std::string_view::npos)
            return delimiter;
    return ' ';
}

} // namespace scanloupe
