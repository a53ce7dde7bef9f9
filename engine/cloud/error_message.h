#pragma once
// Declares the translation of exceptions into sentences for people.
#include <exception>
#include <string>
#include <string_view>

namespace scanloupe {

/// What people are told about an exception.
struct ErrorMessage {
    enum class Kind {
        cancelled, ///< nobody did anything wrong: there is nothing to tell
        mendable,  ///< people can mend it themselves
        fault,     ///< of the program
    };
    Kind kind = Kind::cancelled;
    std::string sentence, nextStep; ///< both empty when it was cancelled
};

/// Next steps that depend on what failed.
struct ErrorAdvice {
    std::string whenShort; ///< when memory is short
    std::string whenFault; ///< when it is a fault of the program
};

/// A message that is fit to be shown, whatever of a file it quotes: words above 1000 bytes, and all above
/// 16 000, lack their middle, where "…" stands.
std::string shortenedMessage(std::string_view text);

/// The message for any exception, as shortenedMessage(). Command line and window translate exceptions here
/// only.
ErrorMessage errorMessage(const std::exception_ptr& error, const ErrorAdvice& advice);

} // namespace scanloupe
