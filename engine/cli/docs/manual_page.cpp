// Writes manual pages with the macros of man(7).
#include "engine/cli/command_line.h"
#include "engine/cli/docs/program_docs.h"
#include "engine/cli/output/text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>

namespace scanloupe::cli {

namespace {

constexpr std::size_t kWidth = 76; // line width of the roff source

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

/// Escapes text for roff. Backslashes are special, and hyphens would be replaced by typographic ones.
std::string escaped(const std::string& text) {
    std::string safe;
    for (const char sign : text) {
        if (sign == '\\')
            safe += "\\e";
        else if (sign == '-')
            safe += "\\-";
        else
            safe += sign;
    }
    return safe;
}

/// Returns a line of text; if it begins like a roff request, its first character is escaped.
std::string guarded(const std::string& line) {
    return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Wraps a paragraph to lines of at most kWidth characters.
std::string filled(const std::string& text) {
    std::istringstream lines(wrapped(text, kWidth));
    std::string line, page;
    while (std::getline(lines, line))
        page += guarded(escaped(line)) + '\n';
    return page;
}

/// Formats text that keeps its line breaks.
std::string verbatim(const std::string& text) {
    std::istringstream lines(text);
    std::string line, page = ".nf\n";
    while (std::getline(lines, line))
        page += guarded(escaped(line)) + '\n';
    return page + ".fi\n";
}

/// Formats a footer. Paragraphs of indented lines and the headings above them keep their line breaks.
std::string footerText(const std::string& footer) {
    std::string page, block;
    std::istringstream lines(footer);
    std::string line;
    const auto flush = [&] {
        if (block.empty())
            return;
        const bool isFilled = block.find("\n  ") == std::string::npos && !block.starts_with("  ");
        page += (page.empty() ? "" : ".PP\n") + (isFilled ? filled(block) : verbatim(block));
        block.clear();
    };
    while (std::getline(lines, line)) {
        if (line.empty() || line.ends_with(':')) // a heading, such as "Examples:"
            flush();
        if (!line.empty())
            block += (block.empty() ? "" : "\n") + line;
    }
    flush();
    return page;
}

std::string head(const std::string& title, const std::string& version, const std::string& date) {
    return fmt::format(".TH {} 1 {} \"{}\" \"Scanloupe\"\n", escaped(upper(title)), date, version);
}

std::string optionText(const OptionDocs& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", escaped(name));
    if (!option.value.empty())
        names += fmt::format(" \\fI{}\\fR", escaped(option.value));
    return ".TP\n" + names + '\n' + filled(option.help);
}

std::string optionSections(const std::vector<OptionDocs>& options) {
    std::vector<std::string> groups;
    for (const OptionDocs& option : options)
        if (std::ranges::find(groups, option.group) == groups.end())
            groups.push_back(option.group);
    std::string page = ".SH OPTIONS\n";
    for (const std::string& group : groups) {
        if (group != "Options") // "Options" is CLI11's name for options without a group
            page += fmt::format(".SS {}\n", escaped(group));
        for (const OptionDocs& option : options)
            if (option.group == group)
                page += optionText(option);
    }
    return page;
}

std::string exitStatus() {
    std::string page = ".SH EXIT STATUS\n";
    for (const ExitMeaning& one : exitMeanings())
        page += fmt::format(".TP\n\\fB{}\\fR\n{}", one.code, filled(one.meaning));
    return page;
}

std::string seeAlso(const std::vector<std::string>& pages) {
    std::string page = ".SH SEE ALSO\n";
    for (std::size_t i = 0; i < pages.size(); ++i)
        page += fmt::format(".BR {} (1){}\n", escaped(pages[i]), i + 1 < pages.size() ? " ," : "");
    return page;
}

std::string pageName(const ProgramDocs& program, const CommandDocs& command) {
    return program.name + "-" + command.name;
}

} // namespace

std::string manualPage(const ProgramDocs& program, const std::string& version, const std::string& date) {
    std::string page = head(program.name, version, date);
    page += fmt::format(".SH NAME\n{} \\- look into 3D scans from the command line\n", escaped(program.name));
    page += fmt::format(".SH SYNOPSIS\n.B {}\n.I command\n.RI [ options ]\n", escaped(program.name));
    page += ".SH DESCRIPTION\n" + filled(program.summary);
    page += ".SH COMMANDS\n";
    std::vector<std::string> pages;
    for (const CommandDocs& command : program.commands) {
        page += fmt::format(".TP\n\\fB{}\\fR\n{}", escaped(command.name), filled(command.summary));
        pages.push_back(pageName(program, command));
    }
    page += optionSections(program.options);
    page += ".SH NOTES\n" + footerText(program.footer);
    return page + exitStatus() + seeAlso(pages);
}

std::string manualPage(const ProgramDocs& program, const CommandDocs& command, const std::string& version,
                       const std::string& date) {
    const std::string name = pageName(program, command);
    std::string page = head(name, version, date);
    page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.summary));
    page += fmt::format(".SH SYNOPSIS\n.B {} {}\n", escaped(program.name), escaped(command.name));
    std::string arguments;
    for (const ArgumentDocs& argument : command.arguments) {
        const std::string shown =
            fmt::format("\\fI{}\\fR{}", escaped(argument.name), argument.isSeveral ? " ..." : "");
        page += argument.isRequired ? shown + '\n' : fmt::format("[{}]\n", shown);
        arguments += fmt::format(".TP\n\\fI{}\\fR\n{}", escaped(argument.name), filled(argument.help));
    }
    page += ".RI [ options ]\n.SH DESCRIPTION\n" + filled(command.summary + ".") + arguments;
    page += optionSections(command.options);
    if (!command.footer.empty())
        page += ".SH NOTES\n" + footerText(command.footer);
    return page + exitStatus() + seeAlso({program.name});
}

} // namespace scanloupe::cli
