// Separates the output files of --json from input files.
#include "engine/cli/json_option.h"

#include "engine/cli/command_tree.h"
#include "kernels/core/error.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace scanloupe::cli {

namespace {

bool looksLikeJsonFile(const std::string& argument) {
    return argument.empty() || argument == "-" || argument.ends_with(".json") ||
           argument.starts_with("json:") || argument.starts_with("/dev/");
}

bool hasJson(const CLI::App& program, std::span<const std::string> arguments) {
    return !arguments.empty() &&
           std::ranges::any_of(program.get_subcommands({}), [&](const CLI::App* command) {
               return command->get_name() == arguments.front() &&
                      command->get_option_no_throw("--json") != nullptr;
           });
}

/// Whether the parser accepts these arguments as a complete command.
bool parses(const std::vector<std::string>& arguments) {
    Action ignored;
    const ProgramPointer program = commandTree(ignored);
    try {
        program->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return true;
    } catch (const CLI::Error&) { // includes the exception for --help
        return false;
    }
}

} // namespace

JsonArguments splitJson(std::span<const std::string> arguments) {
    JsonArguments split;
    const std::string assigned = "--json=";
    const auto isJson = [&](const std::string& one) { return one == "--json" || one.starts_with(assigned); };
    Action ignored;
    if (std::ranges::none_of(arguments, isJson) || !hasJson(*commandTree(ignored), arguments)) {
        split.others.assign(arguments.begin(), arguments.end());
        return split;
    }
    std::size_t named = 0; // index in split.others where the file was removed
    bool mayBeInput = false;
    const auto end = std::ranges::find(arguments, "--"); // only input files follow "--"
    for (auto one = arguments.begin(); one != end; ++one) {
        if (one->starts_with(assigned)) {
            split.isGiven = split.hasFile = true;
            split.file = one->substr(assigned.size());
        } else if (*one == "--json") {
            split.isGiven = true;
            if (one + 1 != end && looksLikeJsonFile(one[1])) {
                split.hasFile = mayBeInput = true;
                split.file = *++one;
                named = split.others.size();
            }
        } else {
            split.others.push_back(*one);
        }
    }
    split.others.insert(split.others.end(), end, arguments.end());
    if (mayBeInput && !split.file.empty() && !parses(split.others)) {
        std::vector<std::string> withInput = split.others;
        withInput.insert(withInput.begin() + std::ptrdiff_t(named), split.file);
        if (parses(withInput)) { // the file was an input, as in: info --json tileset.json
            split.others = std::move(withInput);
            split.hasFile = false;
            split.file.clear();
        }
    }
    return split;
}

} // namespace scanloupe::cli
