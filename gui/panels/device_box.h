#pragma once
// Declares the choice of the compute device.
#include "engine/compute/backend.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/jobs/background_worker.h"

#include <vector>

namespace scanloupe::gui {

/// Shows the compute device, and lists all others when it is opened: finding them can take a second.
class DeviceBox : public WheelSafeComboBox {
    Q_OBJECT
public:
    explicit DeviceBox(const BackendChoice& current, QWidget* parent = nullptr);

    /// Shows another device as the current one.
    void setCurrent(const BackendChoice& current);
    void showPopup() override;

signals:
    /// Emitted when the user chooses a device; `id` as BackendRequest::device.
    void chosen(const QString& id);
    /// Emitted when all devices are listed.
    void listed();

private:
    void list(const std::vector<ComputeDevice>& devices);

    ComputeDevice m_current;
    bool m_isListed = false;
    BackgroundWorker<std::vector<ComputeDevice>> m_worker;
};

} // namespace scanloupe::gui
