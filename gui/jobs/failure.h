#pragma once
// Declares the message of a failed job.
#include <QString>
#include <exception>

namespace scanloupe::gui {

/// An error message for users.
struct Failure {
    QString sentence, nextStep; ///< both empty when the job was cancelled
};

/// Message for any exception, see errorMessage(). The only place in which the window translates exceptions.
/// @param whenShort what to do when memory is short
Failure failureOf(const std::exception_ptr& error, const QString& whenShort);

} // namespace scanloupe::gui
