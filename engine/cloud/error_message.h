#pragma once
// Declares the conversion of exceptions to messages for users.
#include <exception>
#include <string>
#include <string_view>

namespace scanloupe {

/// An exception's message for users.
struct ErrorMessage {
    enum class Kind {
        cancelled, ///< the operation was cancelled; there is nothing to report
        mendable,  ///< an error that the user can fix
        fault,     ///< an internal error
    };
    Kind kind = Kind::cancelled;
    std::string sentence, nextStep; ///< what is wrong and what to do next; both empty if cancelled
};

/// Next steps that depend on the failure.
struct ErrorAdvice {
    std::string whenShort; ///< next step when out of memory
    std::string whenFault; ///< next step for an internal error
};

/// Shortens a message that may quote long texts from a file. The middle of words above 1000 bytes, and of
/// texts above 16,000 bytes, is replaced by "…".
std::string shortenedMessage(std::string_view text);

/// Returns the message for any exception, shortened by shortenedMessage(). It is the only conversion of
/// exceptions in the command line and the GUI.
ErrorMessage errorMessage(const std::exception_ptr& error, const ErrorAdvice& advice);

} // namespace scanloupe
