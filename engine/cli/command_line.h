#pragma once
// Declares scanloupe-cli as a function, which its main() and the tests call.
#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace scanloupe {

/// How a command ended.
enum ExitCode : int {
    exitOk = 0,
    exitFault = 1,     ///< a bug of the program
    exitUserError = 2, ///< an error that the user can correct: the message has the problem and the next step
    exitOutside = 3,   ///< completed, but a scan is outside tolerance
    exitDoubtful = 4,  ///< completed, but a result is unreliable: the message says which
    exitInterrupted = 130, ///< stopped by a signal: 128 + SIGINT, the shell convention
};

/// The meaning of an exit code, for the manual.
struct ExitMeaning {
    int code;
    const char* meaning;
};
/// All exit codes, ascending.
std::span<const ExitMeaning> exitMeanings();

/// Runs `scanloupe-cli ARGUMENTS`. Results go to `out`, progress and errors to `err`. A request to stop ends
/// it within 100 ms and leaves no half-written file. Never throws.
int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop);

} // namespace scanloupe
