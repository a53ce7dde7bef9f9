#pragma once
// Declares the source of manual pages and completions: the declared commands and options.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scanloupe::cli {

struct OptionDocs {
    std::vector<std::string> names;   ///< "-q", "--quiet"; includes names that turn a flag off
    std::string value;                ///< "FILE"; empty: a flag
    std::string group, help;          ///< the help as one line
    std::vector<std::string> choices; ///< permitted values; empty: any
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

/// The page of the manual of the program, and those of its commands, as man(7) has them.
/// @param version "Scanloupe 0.1.0"; @param date "2026-11-25"
std::string manualPage(const ProgramDocs& program, const std::string& version, const std::string& date);
std::string manualPage(const ProgramDocs& program, const CommandDocs& command, const std::string& version,
                       const std::string& date);

/// Scripts that complete commands, options, choices and files.
std::string bashCompletion(const ProgramDocs& program);
std::string zshCompletion(const ProgramDocs& program);
std::string fishCompletion(const ProgramDocs& program);

} // namespace scanloupe::cli
