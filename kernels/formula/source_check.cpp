// Reads C++ as far as its preprocessor does: splices, comments, strings and directives.
#include "kernels/formula/source_check.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr std::array kDirectives{"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif"};
/// Words that read files or the names of files, or write instructions.
constexpr std::array kRefusedWords{
    "__has_include", "__has_include_next", "__has_embed", "_Pragma", "__pragma", "asm", "__asm", "__asm__"};

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

class Check {
public:
    /// Joins lines that end with a backslash; `lineOf` keeps their numbers.
    explicit Check(const std::string& source) {
        std::size_t line = 1;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (source[i] == '\\') {
                std::size_t end = i + 1;
                while (end < source.size() && isBlank(source[end]))
                    ++end;
                if (end < source.size() && source[end] == '\n') {
                    if (end > i + 1) // which compilers read in different ways
                        throw KernelError("line " + std::to_string(line) +
                                              " ends with a backslash and blanks after it",
                                          "Remove the blanks.");
                    i = end;
                    ++line;
                    continue;
                }
            }
            m_text += source[i];
            m_lines.push_back(line);
            line += source[i] == '\n';
        }
        m_text += '\n';
        m_lines.push_back(line);
    }

    void run() {
        bool isLineBegin = true;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const std::string_view rest = std::string_view(m_text).substr(m_at);
            if (rest.starts_with("//")) {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            } else if (rest.starts_with("/*")) {
                m_at = std::min(m_text.find("*/", m_at + 2), m_text.size() - 2) + 2;
            } else if (c == '\n') {
                isLineBegin = true;
                ++m_at;
            } else if (isBlank(c)) {
                ++m_at;
            } else if (isLineBegin && (c == '#' || rest.starts_with("%:") || rest.starts_with("?\?="))) {
                checkDirective(c == '#' ? 1 : c == '%' ? 2 : 3);
                isLineBegin = false;
            } else {
                isLineBegin = false;
                skipToken();
            }
        }
    }

private:
    [[noreturn]] void refuse(const std::string& what, const char* next) const {
        throw KernelError("line " + std::to_string(m_lines[std::min(m_at, m_lines.size() - 1)]) + " " + what,
                          next);
    }
    void skipBlanks() {
        while (m_at < m_text.size()) {
            const std::string_view rest = std::string_view(m_text).substr(m_at);
            if (isBlank(rest.front()))
                ++m_at;
            else if (rest.starts_with("/*"))
                m_at = std::min(m_text.find("*/", m_at + 2), m_text.size() - 2) + 2;
            else
                return;
        }
    }
    std::string_view takeName() {
        std::size_t end = m_at;
        while (end < m_text.size() && isWordPart(m_text[end]))
            ++end;
        const std::string_view name = std::string_view(m_text).substr(m_at, end - m_at);
        m_at = end;
        return name;
    }
    void checkDirective(std::size_t size) {
        const std::size_t begin = m_at;
        m_at += size;
        skipBlanks();
        std::string_view name = takeName();
        if (name == "pragma") {
            skipBlanks();
            name = takeName();
            if (name == "unroll")
                return;
        } else if (name == "error") { // with words that are none of C++
            m_at = m_text.find('\n', m_at);
            return;
        } else if (std::ranges::find(kDirectives, name) != kDirectives.end() ||
                   (name.empty() && m_at < m_text.size() && m_text[m_at] == '\n')) {
            return;
        }
        const std::string shown(name.substr(0, 40));
        m_at = begin;
        if (name.find("include") != std::string_view::npos || name == "import" || name == "embed")
            refuse("has #" + shown + ": a CUDA file reads no other file",
                   "Copy what it needs into the file.");
        refuse("has the directive '" + shown + "', which CUDA files can't have",
               "Take #define, #if and #pragma unroll only.");
    }
    void skipToken() {
        const char c = m_text[m_at];
        if (c == '"' || c == '\'') {
            for (++m_at; m_at < m_text.size() && m_text[m_at] != c; ++m_at) {
                if (m_text[m_at] == '\\')
                    ++m_at;
                if (m_at >= m_text.size() || m_text[m_at] == '\n')
                    return; // an apostrophe, in code that is left out
            }
            ++m_at;
        } else if (c >= '0' && c <= '9') { // with ' between digits
            while (m_at < m_text.size() &&
                   (isWordPart(m_text[m_at]) || m_text[m_at] == '\'' || m_text[m_at] == '.'))
                ++m_at;
        } else if (isWordPart(c)) {
            const std::size_t begin = m_at;
            const std::string_view name = takeName();
            if (m_at < m_text.size() && m_text[m_at] == '"' && name.ends_with('R')) {
                m_at = begin;
                refuse("has a raw string, which CUDA files can't have", "Take an ordinary one.");
            }
            if (std::ranges::find(kRefusedWords, name) != kRefusedWords.end()) {
                m_at = begin;
                refuse(name.find("asm") != std::string_view::npos
                           ? "has inline assembly, which can't be checked"
                           : "has '" + std::string(name) + "', which CUDA files can't have",
                       "Write it otherwise there.");
            }
        } else {
            ++m_at;
        }
    }

    std::string m_text;
    std::vector<std::size_t> m_lines; ///< [m_text.size()]
    std::size_t m_at = 0;
};

} // namespace

std::string checkedSource(const std::string& source) {
    std::string lines;
    for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i] != '\r' || i + 1 == source.size() || source[i + 1] != '\n')
            lines += source[i];
    // compilers may take a carriage return alone for an end of line, so that what hides in a comment is code
    if (source.find('\0') != std::string::npos || lines.find('\r') != std::string::npos)
        throw KernelError(
            "the code is no text",
            "Choose a text file with a function in CUDA C++, with the ends of lines of Linux or Windows.");
    Check(lines).run();
    return lines;
}

} // namespace scanloupe::cuda
