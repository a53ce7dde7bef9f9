#pragma once
// Declares scanloupe-cli as a function, which its main() and the tests call.
#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace scanloupe {

/// Exit codes of scanloupe-cli.
enum ExitCode : int {
    exitOk = 0,
    exitFault = 1,     ///< internal error: a bug of the program
    exitUserError = 2, ///< an error that the user can correct; the message contains the problem and the next
                       ///< step
    exitOutside = 3,   ///< completed, but a scan is outside the tolerance
    exitDoubtful = 4,  ///< completed, but a result is unreliable; the message says which
    exitInterrupted = 130, ///< stopped by a signal: 128 + SIGINT, the shell convention
};

/// An exit code and its meaning, for the manual.
struct ExitMeaning {
    int code;
    const char* meaning;
};
/// Returns all exit codes in ascending order.
std::span<const ExitMeaning> exitMeanings();

/// Runs `scanloupe-cli ARGUMENTS` and returns the exit code. Results go to `out`, progress and errors to
/// `err`. A stop request ends the command within 100 ms and leaves no incomplete file behind. Never throws.
int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop);

} // namespace scanloupe
