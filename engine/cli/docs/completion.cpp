// Writes completions for bash, zsh and fish.
#include "engine/cli/docs/program_docs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// Returns the name of the completion function: the program's name with underscores in place of dashes.
std::string functionName(const std::string& program) {
    return "_" + replaced(program, "-", "_");
}

std::vector<std::string> namesOf(const std::vector<OptionDocs>& options) {
    std::vector<std::string> names;
    for (const OptionDocs& option : options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

/// Returns the first sentence of a help text, for lists of options.
std::string brief(const std::string& help) {
    constexpr std::size_t most = 80;
    std::string text = help.substr(0, help.find(". "));
    if (text.size() > most)
        text = text.substr(0, text.rfind(' ', most)) + " ...";
    return text;
}

/// Puts a word in single quotes for a shell.
std::string quoted(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

/// Escapes text for a specification of zsh's _arguments, in which brackets and colons are special.
std::string zshText(const std::string& text) {
    std::string safe = replaced(text, "\\", "\\\\");
    for (const char* sign : {"[", "]", ":"})
        safe = replaced(safe, sign, std::string("\\") + sign);
    return replaced(safe, "'", "'\\''");
}

std::string zshValue(const OptionDocs& option) {
    if (option.value.empty())
        return "";
    const std::string message = ":" + zshText(replaced(option.value, "|", " or "));
    if (!option.choices.empty())
        return fmt::format("{}:({})", message, fmt::join(option.choices, " "));
    return message + (option.takesFile ? ":_files" : ": ");
}

} // namespace

std::string bashCompletion(const ProgramDocs& program) {
    std::vector<std::string> commands;
    for (const CommandDocs& command : program.commands)
        commands.push_back(command.name);
    std::string script = fmt::format(R"(# bash completion of {0}, made from its declarations
{1}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command='' words='' i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then
            command=${{COMP_WORDS[i]}}
            break
        fi
    done
    if [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W '{2} {3}' -- "$cur")
        return
    fi
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $prev == = ]]; then
        prev=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case $command:$prev in
)",
                                     program.name, functionName(program.name), fmt::join(commands, " "),
                                     fmt::join(namesOf(program.options), " "));
    for (const CommandDocs& command : program.commands) {
        for (const OptionDocs& option : command.options) {
            if (option.value.empty() || option.takesFile)
                continue;
            script +=
                fmt::format("    {}:{}) words='{}' ;;\n", command.name, option.longName(),
                            option.choices.empty() ? "-" : fmt::format("{}", fmt::join(option.choices, " ")));
        }
    }
    script += R"(    esac
    if [[ $words == - ]]; then
        return # a value that nobody but the user knows
    elif [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    if [[ $cur == -* ]]; then
        case $command in
)";
    for (const CommandDocs& command : program.commands)
        script += fmt::format("        {}) words='{}' ;;\n", command.name,
                              fmt::join(namesOf(command.options), " "));
    script += fmt::format(R"(        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}}
complete -F {} {}
)",
                          functionName(program.name), program.name);
    return script;
}

std::string zshCompletion(const ProgramDocs& program) {
    const std::string function = "_" + program.name;
    std::string script = fmt::format(R"(#compdef {0}
# zsh completion of {0}, made from its declarations
{1}() {{
    local curcontext="$curcontext" state line
    local -a commands
    commands=(
)",
                                     program.name, function);
    for (const CommandDocs& command : program.commands)
        script += fmt::format("        '{}:{}'\n", command.name, zshText(brief(command.summary)));
    script += "    )\n    _arguments -C \\\n";
    for (const OptionDocs& option : program.options)
        for (const std::string& name : option.names)
            script += fmt::format("        '{}[{}]' \\\n", name, zshText(brief(option.help)));
    script += R"(        '1:command:->command' \
        '*::argument:->arguments'
    case $state in
    command) _describe command commands ;;
    arguments)
        case $words[1] in
)";
    for (const CommandDocs& command : program.commands) {
        script += fmt::format("        {})\n            _arguments \\\n", command.name);
        for (const OptionDocs& option : command.options)
            for (const std::string& name : option.names)
                script += fmt::format("                '{}{}{}[{}]{}' \\\n", option.isRepeatable ? "*" : "",
                                      name, option.value.empty() || !name.starts_with("--") ? "" : "=",
                                      zshText(brief(option.help)), zshValue(option));
        script += "                '*:file:_files'\n            ;;\n";
    }
    return script + fmt::format("        esac\n        ;;\n    esac\n}}\n{} \"$@\"\n", function);
}

std::string fishCompletion(const ProgramDocs& program) {
    std::string script = fmt::format("# fish completion of {}, made from its declarations\n", program.name);
    const auto add = [&](const std::string& condition, const OptionDocs& option) {
        std::string line = fmt::format("complete -c {} -n {}", program.name, quoted(condition));
        for (const std::string& name : option.names)
            line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.choices.empty())
            line += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
        else if (option.takesFile)
            line += " -r -F";
        else if (!option.value.empty())
            line += " -x";
        script += line + " -d " + quoted(brief(option.help)) + '\n';
    };
    for (const OptionDocs& option : program.options)
        add("__fish_use_subcommand", option);
    for (const CommandDocs& command : program.commands)
        script += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name,
                              command.name, quoted(brief(command.summary)));
    for (const CommandDocs& command : program.commands)
        for (const OptionDocs& option : command.options)
            add("__fish_seen_subcommand_from " + command.name, option);
    return script;
}

} // namespace scanloupe::cli
