#pragma once
// Declares the contents of manual pages and completions: the program's commands and options.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::cli {

struct OptionDocs {
    std::vector<std::string> names;   ///< "-q", "--quiet"; includes negative names of flags, such as
                                      ///< "--no-loops"
    std::string value;                ///< placeholder of the value, such as "FILE"; empty: a flag
    std::string group, help;          ///< the help text has no line breaks
    std::vector<std::string> choices; ///< permitted values; empty: any value
    bool takesFile = false, isRepeatable = false;

    const std::string& longName() const { return names.back(); }
};

struct ArgumentDocs {
    std::string name, help;
    bool isRequired = false, isSeveral = false, takesFile = false;
};

struct CommandDocs {
    std::string name, summary, footer;
    std::vector<ArgumentDocs> arguments;
    std::vector<OptionDocs> options;
};

struct ProgramDocs {
    std::string name, summary, footer;
    std::vector<OptionDocs> options;
    std::vector<CommandDocs> commands;
};

ProgramDocs docsOf(const CLI::App& app);

/// Returns the manual page of the program, or of one of its commands, in the macros of man(7).
/// @param version for instance "Scanloupe 0.1.0"
/// @param date for instance "2026-11-25"
std::string manualPage(const ProgramDocs& program, const std::string& version, const std::string& date);
std::string manualPage(const ProgramDocs& program, const CommandDocs& command, const std::string& version,
                       const std::string& date);

/// Return scripts that complete commands, options, choices and file names.
std::string bashCompletion(const ProgramDocs& program);
std::string zshCompletion(const ProgramDocs& program);
std::string fishCompletion(const ProgramDocs& program);

} // namespace scanloupe::cli
