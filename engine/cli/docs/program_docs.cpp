// Collects commands and options from their CLI11 declarations.
#include "engine/cli/docs/program_docs.h"

#include "engine/cli/output/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace scanloupe::cli {

namespace {

std::string oneLine(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// Returns the choices in a value pattern such as "auto|cpu|cuda" or "LENGTH|auto|full": the words in lower
/// case. Words in upper case are placeholders.
std::vector<std::string> choicesIn(const std::string& value) {
    std::vector<std::string> choices;
    std::string word;
    for (const char sign : value + "|") {
        if (sign != '|') {
            word += sign;
            continue;
        }
        const auto fits = [](unsigned char c) {
            return std::islower(c) || std::isdigit(c) || c == '-' || c == '_';
        };
        if (!word.empty() && std::ranges::all_of(word, fits))
            choices.push_back(word);
        word.clear();
    }
    return value.find('|') != std::string::npos ? choices : std::vector<std::string>{};
}

bool isFileValue(const std::string& value) {
    return value == "FILE" || value == "[FILE]" || value == "OUT" || value == "R.json";
}

OptionDocs docsOf(const CLI::Option& option) {
    OptionDocs docs;
    for (const std::string& name : option.get_snames())
        docs.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        docs.names.push_back("--" + name);
    const bool isFlag = option.get_items_expected_max() == 0;
    docs.value = isFlag ? "" : option.get_type_name();
    docs.group = option.get_group();
    docs.help = oneLine(option.get_description());
    if (!isFlag && !option.get_default_str().empty())
        docs.help += " (default: " + option.get_default_str() + ")";
    docs.choices = choicesIn(docs.value);
    docs.takesFile = isFileValue(docs.value);
    docs.isRepeatable = option.get_items_expected_max() > 1;
    return docs;
}

std::vector<OptionDocs> optionsOf(const CLI::App& app) {
    std::vector<OptionDocs> options;
    for (const CLI::Option* option : app.get_options())
        if (option->nonpositional())
            options.push_back(docsOf(*option));
    return options;
}

CommandDocs commandDocsOf(const CLI::App& app) {
    CommandDocs docs{app.get_name(), oneLine(app.get_description()), app.get_footer(), {}, optionsOf(app)};
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional())
            continue;
        docs.arguments.push_back({option->get_name(), oneLine(option->get_description()),
                                  option->get_required(), option->get_items_expected_max() > 1, true});
    }
    return docs;
}

} // namespace

ProgramDocs docsOf(const CLI::App& app) {
    ProgramDocs docs{app.get_name(), oneLine(app.get_description()), app.get_footer(), optionsOf(app), {}};
    for (const CLI::App* command : app.get_subcommands({}))
        docs.commands.push_back(commandDocsOf(*command));
    return docs;
}

} // namespace scanloupe::cli
