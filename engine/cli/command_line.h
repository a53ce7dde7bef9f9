#pragma once
// What scanloupe-cli does, as a function: the program and the tests call the same one.
#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace scanloupe {

/// How a command ended.
enum ExitCode : int {
    exitOk = 0,
    exitFault = 1,         ///< the program's fault
    exitUserError = 2,     ///< something the user can mend: it says what and how
    exitInterrupted = 130, ///< stopped from outside, as shells count SIGINT
};

/// Runs `scanloupe-cli ARGUMENTS`. Results go to `out`, progress and errors to `err`. A request to stop ends
/// it within 100 ms and leaves no half-written file. Never throws.
int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop);

} // namespace scanloupe
