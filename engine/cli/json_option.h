#pragma once
// Declares the parsing of --json, which may be followed by an output file.
#include <span>
#include <string>
#include <vector>

namespace scanloupe::cli {

/// The result of extracting --json from the arguments.
struct JsonArguments {
    std::vector<std::string> others; ///< the arguments without --json and its file
    bool isGiven = false;            ///< --json, --json FILE or --json=FILE was given
    bool hasFile = false;
    std::string file; ///< name of the output file; empty if there is none, or if the given name is empty
};

/// Extracts --json from the arguments of a command that supports it. The next argument counts as its file
/// under two conditions: it ends with ".json", or is "json:FILE", "-", a file below /dev or an empty name;
/// and the command is complete without it.
JsonArguments splitJson(std::span<const std::string> arguments);

} // namespace scanloupe::cli
