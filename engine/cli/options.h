#pragma once
// Declares commands and options without CLI11, whose header takes seconds to compile. Parsing and
// documentation use CLI11 itself.
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

/// A reference to an option of a command. Members return it again, for chaining.
class Option {
public:
    explicit Option(CLI::Option* option) : m_option(option) {}

    /// Sets the placeholder for the value in help texts, such as "FILE".
    Option& typeName(const std::string& name);
    /// Sets the heading in help texts.
    Option& group(const std::string& heading);
    Option& required();
    /// Shows the current value of the target as default in help texts.
    Option& showDefault();
    Option& showDefault(const std::string& value);
    /// Rejects all values but these.
    Option& oneOf(const std::vector<std::string>& values);
    /// Rejects this option without the other one.
    Option& needs(const Option& other);
    /// Rejects this option together with the other one.
    Option& excludes(const Option& other);
    /// Limits an option with a list as target to one value per occurrence.
    Option& oneValueEach();

private:
    CLI::Option* m_option;
};

/// A reference to the program or to one of its commands, for declaring options. Parsing stores their values
/// in the targets: CLI11 keeps pointers, so targets must not move while the program parses.
class Command {
public:
    explicit Command(CLI::App* app) : m_app(app) {}

    Command subcommand(const std::string& name, const std::string& summary);
    std::vector<Command> subcommands();
    /// Rejects command lines without exactly one subcommand.
    void requireSubcommand();

    /// Adds an option, or an argument when the name has no dashes. options.cpp lists the types of targets.
    template <class T>
    Option option(const std::string& names, T& target, const std::string& help);
    /// Adds an option whose value is passed to a function.
    template <class T>
    Option option(const std::string& names, std::function<void(const T&)> setter, const std::string& help);
    /// Adds an option whose value is one of the words.
    template <class Enum>
    Option choice(const std::string& names, Enum& target, const std::map<std::string, Enum>& words,
                  const std::string& help);
    Option flag(const std::string& names, bool& target, const std::string& help);
    /// Adds a flag that is read before parsing, see Session.
    void flag(const std::string& names, const std::string& help);
    /// Adds a flag that prints a text. @param text called only then
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

/// Deletes a program where CLI11 is included.
struct ProgramDeleter {
    void operator()(CLI::App* program) const;
};
using ProgramPointer = std::unique_ptr<CLI::App, ProgramDeleter>;

ProgramPointer makeProgram(const std::string& name, const std::string& summary);

} // namespace scanloupe::cli
