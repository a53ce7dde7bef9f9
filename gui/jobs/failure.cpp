// Translates exceptions into messages for users.
#include "gui/jobs/failure.h"

#include "engine/cloud/error_message.h"

#include <QCoreApplication>

namespace scanloupe::gui {

Failure failureOf(const std::exception_ptr& error, const QString& whenShort) {
    const QString whenFault =
        QCoreApplication::translate("Failure", "Please report this error with the log.");
    const ErrorMessage message = errorMessage(error, {whenShort.toStdString(), whenFault.toStdString()});
    return {QString::fromStdString(message.sentence), QString::fromStdString(message.nextStep)};
}

} // namespace scanloupe::gui
