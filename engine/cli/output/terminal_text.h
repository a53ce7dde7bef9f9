#pragma once
// Declares a stream for the user's text that escapes control characters.
#include <ostream>
#include <streambuf>
#include <string>

namespace scanloupe::cli {

/// A stream that forwards text line by line and escapes control characters, see terminalText().
class TerminalText {
public:
    /// Sets the destination of the text and returns the stream to write to. @param target destination from
    /// now on; null: text is discarded
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

        std::string m_line; ///< characters of the current, incomplete line
    };
    Lines m_lines;
    std::ostream m_stream{&m_lines};
};

} // namespace scanloupe::cli
