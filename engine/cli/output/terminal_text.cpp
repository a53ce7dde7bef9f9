// Escapes control characters in text for the terminal.
#include "engine/cli/output/terminal_text.h"

#include "engine/io/common/text/utf8.h"

namespace scanloupe::cli {

std::ostream& TerminalText::to(std::ostream* target) {
    m_stream.flush();
    m_lines.target = target;
    return m_stream;
}

std::streambuf::int_type TerminalText::Lines::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof()))
        return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    xsputn(&one, 1);
    return character;
}

std::streamsize TerminalText::Lines::xsputn(const char* text, std::streamsize size) {
    m_line.append(text, std::size_t(size));
    if (m_line.find('\n', m_line.size() - std::size_t(size)) != std::string::npos) {
        const std::size_t end = m_line.rfind('\n') + 1;
        const std::string rest = m_line.substr(end);
        m_line.resize(end);
        sync();
        m_line = rest;
    }
    return size;
}

int TerminalText::Lines::sync() {
    if (target)
        *target << terminalText(m_line);
    m_line.clear();
    return 0;
}

} // namespace scanloupe::cli
