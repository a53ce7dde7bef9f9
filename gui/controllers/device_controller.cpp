// Finds the compute device, and passes it to the jobs.
#include "gui/controllers/device_controller.h"

#include "engine/results/snapshot.h"
#include "gui/base/settings.h"
#include "gui/controllers/comparison_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/panels/device_box.h"

#include <utility>

namespace scanloupe::gui {

void rememberDevice(const ComputeDevice& device) {
    if (device.id == computeDevices().front().id) {
        settings::deviceId.forget();
        settings::deviceName.forget();
        return;
    }
    settings::deviceId.set(QString::fromStdString(device.id));
    settings::deviceName.set(QString::fromStdString(device.name));
}

BackendRequest rememberedDevice() {
    BackendRequest request;
    request.device = settings::deviceId.value().toStdString();
    if (request.device == "cpu") // any CPU is accepted, whatever its name
        return Backend::cpu;
    if (!request.device.empty()) // the stored number may belong to another card after cards were moved
        request.name = settings::deviceName.value().toStdString();
    return request;
}

DeviceController::DeviceController(const WindowContext& window, RunController& run,
                                   ComparisonController& comparison, DeviceBox& box)
    : Controller(window), m_run(run), m_comparison(comparison), m_box(box) {
    connect(&box, &DeviceBox::chosen, this, &DeviceController::choose);
}

void DeviceController::findInterop() {
    if (m_window.jobs.runner().backend().backend == Backend::cuda)
        m_window.viewing.interop.problem();
}

void DeviceController::seek(const BackendRequest& wanted) {
    m_sought = wanted;
    m_window.log.append(tr("Testing the SYCL devices. The CPU computes until this is done."));
    const auto end = [this] {
        m_sought.reset();
        if (const auto action = std::exchange(m_whenReady, nullptr))
            action();
    };
    m_window.jobs.backends().find(
        wanted,
        [this, end](const BackendChoice& found) {
            if (m_sought) // otherwise the user has chosen another device in the meantime
                use(found);
            end();
        },
        [this, end](const Failure& failure) {
            if (!m_sought) // the user chose another device meanwhile
                return end();
            m_window.showError(failure);
            m_window.log.append(failure.sentence);
            m_whenReady = nullptr;
            end();
            if (!m_window.work.results())
                emit refused(failure.sentence, failure.nextStep);
        });
}

void DeviceController::whenReady(std::function<void()> action) {
    const bool isNamed = m_sought && (m_sought->backend == Backend::sycl || !m_sought->device.empty());
    if (!isNamed)
        return action();
    m_whenReady = std::move(action);
    m_window.messages.showNote(tr("Testing the SYCL devices. Your files open afterwards."));
}

void DeviceController::use(const BackendChoice& choice) {
    m_window.jobs.runner().setBackend(choice);
    m_run.forecasts().setBackend(choice);
    m_comparison.changeBackend();
    m_window.log.append(QString::fromStdString(choice.reason));
    findInterop();
    m_box.setCurrent(choice);
}

void DeviceController::choose(const QString& id) {
    try {
        BackendRequest request;
        request.device = id.toStdString();
        // only devices that passed their self-test are listed
        const BackendChoice choice = chooseBackend(request);
        m_sought.reset();
        use(choice);
        rememberDevice(deviceOf(choice));
    } catch (...) {
        m_window.showError(std::current_exception());
    }
    m_box.setCurrent(m_window.jobs.runner().backend());
}

} // namespace scanloupe::gui
