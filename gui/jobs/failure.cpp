// Translates exceptions into messages for users.
#include "gui/jobs/failure.h"

#include "engine/cloud/error.h"
#include "kernels/core/error.h"

#include <QCoreApplication>
#include <new>

namespace scanloupe::gui {

Failure failureOf(const std::exception_ptr& error, const QString& whenShort) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Failure", text); };
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return {};
    } catch (const Error& failure) {
        return {QString::fromStdString(failure.what()), QString::fromStdString(failure.nextStep())};
    } catch (const std::bad_alloc&) {
        return {tr("There is not enough memory for this."), whenShort};
    } catch (const std::exception& failure) {
        return {tr("Something went wrong: %1").arg(QString::fromUtf8(failure.what())),
                tr("Report this as a fault, with the log.")};
    } catch (...) {
        return {tr("Something went wrong."), tr("Report this as a fault, with the log.")};
    }
}

} // namespace scanloupe::gui
