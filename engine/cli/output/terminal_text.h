#pragma once
// Declares the stream for the user's text.
#include <ostream>
#include <streambuf>
#include <string>

namespace scanloupe::cli {

/// Passes text on, line by line, as terminalText() shows it.
class TerminalText {
public:
    /// The stream to write to. @param target destination of text from now on; null: text is discarded
    std::ostream& to(std::ostream* target);
    ~TerminalText() { to(nullptr); }

private:
    class Lines final : public std::streambuf {
    public:
        std::ostream* target = nullptr;
        int sync() override;

    private:
        int_type overflow(int_type character) override;
        std::streamsize xsputn(const char* text, std::streamsize size) override;

        std::string m_line; ///< beginning of the current line
    };
    Lines m_lines;
    std::ostream m_stream{&m_lines};
};

} // namespace scanloupe::cli
