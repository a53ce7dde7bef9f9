// The device that computes: found in the background, or chosen by the user.
#include "gui/app/main_window.h"
#include "gui/app/remembered_device.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/compare_session.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/forecast_session.h"
#include "gui/panels/device_box.h"
#include "gui/panels/log_panel.h"

namespace scanloupe::gui {

void MainWindow::findInterop() {
    if (m_jobs.runner().backend().backend == Backend::cuda)
        m_interop.problem();
}

void MainWindow::seekBackend() {
    m_log->append(tr("SYCL and its devices are being tested. Until that is done, the CPU computes."));
    const auto end = [this] {
        m_sought.reset();
        if (const auto action = std::exchange(m_whenReady, nullptr))
            action();
    };
    m_backends.find(
        *m_sought,
        [this, end](const BackendChoice& found) {
            if (m_sought) // else another device was chosen meanwhile
                useBackend(found);
            end();
        },
        [this, end](const Failure& failure) {
            if (!m_sought) // another device was chosen meanwhile
                return end();
            m_messages->showError(failure.sentence, failure.nextStep);
            m_log->append(failure.sentence);
            m_whenReady = nullptr;
            end();
            if (!m_snapshot)
                emit backendRefused(failure.sentence, failure.nextStep);
        });
}

void MainWindow::whenReady(std::function<void()> action) {
    const bool isNamed = m_sought && (m_sought->backend == Backend::sycl || !m_sought->device.empty());
    if (!isNamed)
        return action();
    m_whenReady = std::move(action);
    m_messages->showNote(tr("SYCL and its devices are being tested. What you asked for is opened then."));
}

void MainWindow::useBackend(const BackendChoice& choice) {
    m_jobs.runner().setBackend(choice);
    m_forecasts->setBackend(choice);
    if (m_compare->isOfBackends())
        m_compare->end(); // with what may be the same now
    m_log->append(QString::fromStdString(choice.reason));
    findInterop();
    m_device->setCurrent(choice);
}

void MainWindow::chooseDevice(const QString& id) {
    try {
        BackendWish wish;
        wish.device = id.toStdString();
        const BackendChoice choice = chooseBackend(wish); // all were tested before they were listed
        m_sought.reset();
        useBackend(choice);
        rememberDevice(deviceOf(choice));
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), {});
        m_messages->showError(failure.sentence, failure.nextStep);
    }
    m_device->setCurrent(m_jobs.runner().backend());
}

} // namespace scanloupe::gui
