#pragma once
// Declares --json, which may be followed by a file.
#include <span>
#include <string>
#include <vector>

namespace scanloupe::cli {

/// Arguments, with and without --json.
struct JsonArguments {
    std::vector<std::string> others; ///< the rest, to be parsed
    bool isGiven = false;            ///< --json, --json FILE or --json=FILE
    bool hasFile = false;
    std::string file; ///< empty: none, or an empty name
};

/// Extracts --json from the arguments of a command with this option. The next argument is its file if it ends
/// with ".json", or is "json:FILE", "-", a file of /dev or an empty name, and the command is complete without
/// it.
JsonArguments splitJson(std::span<const std::string> arguments);

} // namespace scanloupe::cli
