#pragma once
// Declares commands and options without including CLI11, whose header takes seconds to compile. Only the
// parser and the documentation generator include CLI11.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace scanloupe::cli {

/// A reference to an option of a command. Member functions return the object itself, for chaining.
class Option {
public:
    explicit Option(CLI::Option* option) : m_option(option) {}

    /// Sets the placeholder for the value in help texts, such as "FILE".
    Option& typeName(const std::string& name);
    /// Sets the heading in help texts.
    Option& group(const std::string& heading);
    Option& required();
    /// Shows the current value of the target as the default in help texts.
    Option& showDefault();
    Option& showDefault(const std::string& value);
    /// Rejects values that are not in the list.
    Option& oneOf(const std::vector<std::string>& values);
    /// Rejects command lines that have this option without `other`.
    Option& needs(const Option& other);
    /// Rejects command lines that have both this option and `other`.
    Option& excludes(const Option& other);
    /// Limits an option whose target is a list to one value per occurrence.
    Option& oneValueEach();

private:
    CLI::Option* m_option;
};

/// A reference to the program or to one of its commands, for declaring options. Parsing stores the values in
/// the targets. CLI11 keeps pointers to the targets, so they must not move while the program parses.
class Command {
public:
    explicit Command(CLI::App* app) : m_app(app) {}

    Command subcommand(const std::string& name, const std::string& summary);
    std::vector<Command> subcommands();
    /// Requires exactly one subcommand.
    void requireSubcommand();

    /// Adds an option, or a positional argument if the name has no dashes. options.cpp lists the supported
    /// target types.
    template <class T>
    Option option(const std::string& names, T& target, const std::string& help);
    /// Adds an option whose value is passed to a function.
    template <class T>
    Option option(const std::string& names, std::function<void(const T&)> setter, const std::string& help);
    /// Adds an option that accepts one of the keys of `words` and stores the corresponding value.
    template <class Enum>
    Option choice(const std::string& names, Enum& target, const std::map<std::string, Enum>& words,
                  const std::string& help);
    Option flag(const std::string& names, bool& target, const std::string& help);
    /// Adds a flag that Session reads before parsing.
    void flag(const std::string& names, const std::string& help);
    /// Adds a flag that prints a text. @param text is called only if the flag is given
    void versionFlag(const std::string& name, std::function<std::string()> text, const std::string& help);

    /// Sets the text that follows the options in help texts.
    void footer(const std::string& text);
    /// Sets a function to call once this command has been parsed.
    void whenParsed(std::function<void()> callback);

private:
    Option numberChoice(const std::string& names, std::function<void(const int&)> setter,
                        const std::map<std::string, int>& words, const std::string& help);

    CLI::App* m_app;
};

template <class Enum>
Option Command::choice(const std::string& names, Enum& target, const std::map<std::string, Enum>& words,
                       const std::string& help) {
    std::map<std::string, int> numbers;
    for (const auto& [word, value] : words)
        numbers.emplace(word, int(value));
    return numberChoice(
        names, [&target](int number) { target = Enum(number); }, numbers, help);
}

/// Deletes a CLI::App; defined in a file that includes CLI11.
struct ProgramDeleter {
    void operator()(CLI::App* program) const;
};
using ProgramPointer = std::unique_ptr<CLI::App, ProgramDeleter>;

ProgramPointer makeProgram(const std::string& name, const std::string& summary);

} // namespace scanloupe::cli
