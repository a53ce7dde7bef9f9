// Keeps the device that computes in the settings.
#include "gui/app/remembered_device.h"

#include "engine/cloud/error.h"

#include <QSettings>

namespace scanloupe::gui {

namespace {

constexpr const char *kId = "device/id", *kName = "device/name";

} // namespace

void rememberDevice(const ComputeDevice& device) {
    QSettings settings;
    if (device.id == computeDevices().front().id) {
        settings.remove(kId);
        settings.remove(kName);
        return;
    }
    settings.setValue(kId, QString::fromStdString(device.id));
    settings.setValue(kName, QString::fromStdString(device.name));
}

BackendWish rememberedDevice() {
    BackendWish wish;
    wish.device = QSettings().value(kId).toString().toStdString();
    if (wish.device.empty() || wish.device == "cpu") // which nothing has to be loaded for
        return wish.device.empty() ? wish : BackendWish(Backend::cpu);
    try {
        // another device may have the number by now, where a card was taken out
        if (deviceOf(chooseBackend(wish)).name == QSettings().value(kName).toString().toStdString())
            return wish;
    } catch (const EngineError&) { // a runtime that is gone
    }
    return {};
}

} // namespace scanloupe::gui
