// Keeps the device that computes in the settings.
#include "gui/app/remembered_device.h"

#include "engine/cloud/error.h"

#include <QSettings>

namespace scanloupe::gui {

namespace {

constexpr const char* kKey = "device";

} // namespace

void rememberDevice(const QString& id) {
    if (id.toStdString() == computeDevices().front().id)
        QSettings().remove(kKey);
    else
        QSettings().setValue(kKey, id);
}

BackendWish rememberedDevice() {
    BackendWish wish;
    wish.device = QSettings().value(kKey).toString().toStdString();
    if (wish.device.empty())
        return wish;
    try {
        chooseBackend(wish);
        return wish;
    } catch (const EngineError&) { // a card that was taken out, or a runtime that is gone
        return {};
    }
}

} // namespace scanloupe::gui
