// Implements commands and options with CLI11.
#include "engine/cli/options.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <utility>

namespace scanloupe::cli {

Option& Option::typeName(const std::string& name) {
    m_option->type_name(name);
    return *this;
}

Option& Option::group(const std::string& heading) {
    m_option->group(heading);
    return *this;
}

Option& Option::required() {
    m_option->required();
    return *this;
}

Option& Option::showDefault() {
    m_option->capture_default_str();
    return *this;
}

Option& Option::showDefault(const std::string& value) {
    m_option->default_str(value);
    return *this;
}

Option& Option::oneOf(const std::vector<std::string>& values) {
    // CLI11 would append the description of the check to the placeholder; an empty one keeps the help short.
    m_option->check(CLI::IsMember(values).description(""));
    return *this;
}

Option& Option::needs(const Option& other) {
    m_option->needs(other.m_option);
    return *this;
}

Option& Option::excludes(const Option& other) {
    m_option->excludes(other.m_option);
    return *this;
}

Option& Option::oneValueEach() {
    m_option->allow_extra_args(false);
    return *this;
}

Command Command::subcommand(const std::string& name, const std::string& summary) {
    return Command(m_app->add_subcommand(name, summary));
}

std::vector<Command> Command::subcommands() {
    std::vector<Command> commands;
    for (CLI::App* command : m_app->get_subcommands({}))
        commands.emplace_back(command);
    return commands;
}

void Command::requireSubcommand() {
    m_app->require_subcommand(1);
}

template <class T>
Option Command::option(const std::string& names, T& target, const std::string& help) {
    return Option(m_app->add_option(names, target, help));
}

template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);

template <class T>
Option Command::option(const std::string& names, std::function<void(const T&)> setter,
                       const std::string& help) {
    return Option(m_app->add_option_function<T>(names, setter, help));
}

template Option Command::option(const std::string&, std::function<void(const double&)>, const std::string&);
template Option Command::option(const std::string&, std::function<void(const std::string&)>,
                                const std::string&);

Option Command::numberChoice(const std::string& names, std::function<void(const int&)> setter,
                             const std::map<std::string, int>& words, const std::string& help) {
    // CLI::CheckedTransformer is not used, because its error message lists numbers instead of words.
    const auto toNumber = [words](std::string& value) {
        if (const auto known = words.find(value); known != words.end()) {
            value = std::to_string(known->second);
            return std::string();
        }
        std::string list;
        for (const auto& [word, number] : words)
            list += (list.empty() ? "" : ", ") + word;
        return "'" + value + "' is not one of " + list;
    };
    CLI::Option* option = m_app->add_option_function<int>(names, setter, help);
    return Option(option->transform(CLI::Validator(toNumber, "")));
}

Option Command::flag(const std::string& names, bool& target, const std::string& help) {
    return Option(m_app->add_flag(names, target, help));
}

void Command::flag(const std::string& names, const std::string& help) {
    m_app->add_flag(names, help);
}

void Command::versionFlag(const std::string& name, std::function<std::string()> text,
                          const std::string& help) {
    m_app->set_version_flag(name, std::move(text), help);
}

void Command::footer(const std::string& text) {
    m_app->footer(text);
}

void Command::whenParsed(std::function<void()> callback) {
    m_app->callback(std::move(callback));
}

void ProgramDeleter::operator()(CLI::App* program) const {
    std::default_delete<CLI::App>()(program);
}

ProgramPointer makeProgram(const std::string& name, const std::string& summary) {
    return ProgramPointer(new CLI::App(summary, name));
}

} // namespace scanloupe::cli
