#pragma once
// Declares the choice of the device that computes.
#include "engine/compute/backend.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/jobs/background_worker.h"

#include <vector>

namespace scanloupe::gui {

/// Shows the device that computes, and lists all others once it is opened: finding them can take a second.
class DeviceBox : public WheelSafeComboBox {
    Q_OBJECT
public:
    explicit DeviceBox(const BackendChoice& current, QWidget* parent = nullptr);

    /// Shows another device as the one that computes.
    void setCurrent(const BackendChoice& current);
    void showPopup() override;

signals:
    /// As BackendWish::device.
    void chosen(const QString& id);
    /// All devices are listed.
    void listed();

private:
    void list(const std::vector<ComputeDevice>& devices);

    ComputeDevice m_current;
    bool m_isListed = false;
    BackgroundWorker<std::vector<ComputeDevice>> m_worker;
};

} // namespace scanloupe::gui
