// Scans C++ like a preprocessor: splices, comments, strings and directives.
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
/// Rejected words: they read files or the names of files, write instructions, or change how functions and
/// variables are called, linked and laid out.
constexpr std::array kRefusedWords{"__has_include", "__has_include_next",
                                   "__has_embed",   "_Pragma",
                                   "__pragma",      "asm",
                                   "_asm",          "__asm",
                                   "__asm__",       "noreturn",
                                   "__noreturn__",  "_Noreturn",
                                   "__attribute__", "__attribute",
                                   "__declspec",    "__managed__",
                                   "__annotate__",  "__location__",
                                   "__no_return__", "__local_maxnreg__"};
/// Rejected prefixes: the names of compilers' own functions.
constexpr std::array kRefusedBegins{"__cuda", "__nv", "__internal"};
constexpr std::size_t kMaxSourceBytes = 1 << 20;

bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

class Check {
public:
    /// Joins lines that end with a backslash; `m_lines` keeps their original numbers.
    explicit Check(const std::string& source) {
        std::size_t line = 1;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (source[i] == '\\') {
                std::size_t end = i + 1;
                while (end < source.size() && isBlank(source[end]))
                    ++end;
                if (end < source.size() && source[end] == '\n') {
                    if (end > i + 1) // compilers disagree on blanks after a backslash
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
            } else if (isLineBegin && c == '#') {
                checkDirective();
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
    void checkDirective() {
        const std::size_t begin = m_at;
        ++m_at;
        skipBlanks();
        std::string_view name = takeName();
        if (name == "pragma") {
            skipBlanks();
            name = takeName();
            if (name == "unroll")
                return;
        } else if (name == "error" || std::ranges::find(kDirectives, name) != kDirectives.end() ||
                   (name.empty() && m_at < m_text.size() && m_text[m_at] == '\n')) {
            return;
        }
        const std::string shown(name.substr(0, 40));
        m_at = begin;
        if (name.find("include") != std::string_view::npos || name == "import" || name == "embed")
            refuse("has #" + shown + ": a CUDA file must not read other files",
                   "Copy the needed code into the file.");
        refuse("has the directive '" + shown + "', which CUDA files must not contain",
               "Use only #define, #if and #pragma unroll.");
    }
    /// Skips text in quotes, also in code that `#if` excludes, where compilers disagree on whether it ends
    /// with the line.
    void skipQuoted(char quote) {
        const std::size_t begin = m_at;
        for (++m_at; m_text[m_at] != quote; ++m_at) {
            if (m_text[m_at] == '\\')
                ++m_at;
            if (m_at >= m_text.size() || m_text[m_at] == '\n') {
                m_at = begin;
                refuse(std::string("has a ") + quote + " without a closing one",
                       "Close the quote in the same line, or make the text a comment.");
            }
        }
        ++m_at;
    }
    void skipToken() {
        const std::size_t begin = m_at;
        const char c = m_text[m_at];
        const std::string_view rest = std::string_view(m_text).substr(m_at);
        if (c == '"' || c == '\'')
            return skipQuoted(c);
        if (rest.starts_with("%:") || c == '#')
            refuse("contains '#' within the line or '%:', which CUDA files must not contain",
                   "Write the names in full.");
        if (c == '\\')
            refuse("has a backslash outside quotes", "Remove the backslash.");
        if (!isWordPart(c)) {
            ++m_at;
            return;
        }
        if (c >= '0' && c <= '9') {
            while (isWordPart(m_text[m_at]) || m_text[m_at] == '.' ||
                   ((m_text[m_at] == '+' || m_text[m_at] == '-') &&
                    std::string_view("eEpP").find(m_text[m_at - 1]) != std::string_view::npos))
                ++m_at;
        } else {
            checkName(takeName(), begin);
        }
        // Rejects digit separators, raw strings and prefixed strings, whose end compilers could find
        // elsewhere than this check.
        if (m_text[m_at] == '\'' || m_text[m_at] == '"') {
            m_at = begin;
            refuse("has a quote directly after a letter or a digit, which CUDA files must not contain",
                   "Put a blank before it; write numbers without separators.");
        }
    }
    void checkName(std::string_view name, std::size_t begin) {
        const bool isOfCompiler = std::ranges::any_of(
            kRefusedBegins, [&](std::string_view word) { return name.starts_with(word); });
        if (!isOfCompiler && std::ranges::find(kRefusedWords, name) == kRefusedWords.end())
            return;
        m_at = begin;
        refuse(name.find("asm") != std::string_view::npos
                   ? "has inline assembly, which cannot be checked"
                   : "has '" + std::string(name.substr(0, 40)) + "', which CUDA files must not contain",
               "Rewrite the code in this line.");
    }

    std::string m_text;
    std::vector<std::size_t> m_lines; ///< [m_text.size()] line number of each character
    std::size_t m_at = 0;
};

} // namespace

std::string checkedSource(const std::string& source) {
    std::string lines;
    for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i] != '\r' || i + 1 == source.size() || source[i + 1] != '\n')
            lines += source[i];
    // Some compilers treat a single carriage return as the end of a line, which would turn a comment into
    // code.
    if (source.find('\0') != std::string::npos || lines.find('\r') != std::string::npos)
        throw KernelError("the file of the code is not a text file",
                          "Choose a text file with a function in CUDA C++, with Linux or Windows line ends.");
    if (lines.size() > kMaxSourceBytes)
        throw KernelError("the code has more than 1 MiB", "Choose a shorter file.");
    // rejects trigraphs, which some compilers replace
    for (std::size_t at = lines.find("?\?"); at != std::string::npos; at = lines.find("?\?", at + 1))
        if (at + 2 < lines.size() &&
            std::string_view("=/'()!<>-").find(lines[at + 2]) != std::string_view::npos)
            throw KernelError(
                "line " + std::to_string(std::count(lines.begin(), lines.begin() + long(at), '\n') + 1) +
                    " has a trigraph, which compilers interpret differently",
                "Put a blank between the question marks.");
    Check(lines).run();
    return lines;
}

} // namespace scanloupe::cuda
