#pragma once
#include <QString>
#include <exception>

namespace scanloupe::gui {

/// What went wrong, as people read it.
struct Failure {
    QString sentence, nextStep; ///< both empty: it was cancelled
};

/// Any exception as a sentence: the one place where the window turns them into these.
/// @param whenShort what to do where memory is short
Failure failureOf(const std::exception_ptr& error, const QString& whenShort);

} // namespace scanloupe::gui
