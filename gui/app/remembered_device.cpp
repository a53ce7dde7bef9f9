// Keeps the device that computes in the settings.
#include "gui/app/remembered_device.h"

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
    if (wish.device == "cpu") // whose name is always the same
        return Backend::cpu;
    if (!wish.device.empty()) // another one may have its number by now, where a card was taken out
        wish.name = QSettings().value(kName).toString().toStdString();
    return wish;
}

} // namespace scanloupe::gui
