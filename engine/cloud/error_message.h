#pragma once
// Declares the translation of exceptions into messages for users.
#include <exception>
#include <string>
#include <string_view>

namespace scanloupe {

/// An exception's message for users.
struct ErrorMessage {
    enum class Kind {
        cancelled, ///< not an error: there is nothing to report
        mendable,  ///< an error that users can fix
        fault,     ///< an internal error
    };
    Kind kind = Kind::cancelled;
    std::string sentence, nextStep; ///< both empty when it was cancelled
};

/// Next steps that depend on the failure.
struct ErrorAdvice {
    std::string whenShort; ///< when out of memory
    std::string whenFault; ///< for an internal error
};

/// A message that is short enough to be shown, whatever it quotes from a file: in words above 1000 bytes, and
/// in texts above 16,000, "…" replaces the middle.
std::string shortenedMessage(std::string_view text);

/// The message for any exception, as shortenedMessage(). Command line and window translate exceptions here
/// only.
ErrorMessage errorMessage(const std::exception_ptr& error, const ErrorAdvice& advice);

} // namespace scanloupe
