// Lists the devices that can compute, in the background.
#include "gui/panels/device_box.h"

#include "gui/base/raw_text.h"

namespace scanloupe::gui {

namespace {

constexpr int kShortest = 6, kLongest = 18; // characters

QString textOf(const ComputeDevice& device) {
    const QString name = shownText(device.name);
    return device.backend == Backend::sycl ? DeviceBox::tr("%1 with SYCL").arg(name) : name;
}

} // namespace

DeviceBox::DeviceBox(const BackendChoice& current, QWidget* parent)
    : WheelSafeComboBox(parent),
      m_worker(
          [this](const std::vector<ComputeDevice>& devices) {
              list(devices);
              if (isVisible() && window()->isActiveWindow())
                  WheelSafeComboBox::showPopup();
          },
          [this](const std::exception_ptr&) { // out of memory: the list can be opened again
              setItemText(0, textOf(m_current));
          }) {
    setObjectName(QStringLiteral("device"));
    setAccessibleName(tr("Compute device"));
    setToolTip(tr("Device that computes the results."));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(kShortest);
    setMaximumWidth(fontMetrics().averageCharWidth() * kLongest);
    setFixedHeight(fontMetrics().height() + 2); // the status bar must not grow
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (const QString id = itemData(index).toString(); id.toStdString() != m_current.id)
            emit chosen(id);
    });
    setCurrent(current);
}

void DeviceBox::setCurrent(const BackendChoice& current) {
    m_current = deviceOf(current);
    if (!m_isListed) {
        clear();
        addItem(textOf(m_current), QString::fromStdString(m_current.id));
    }
    setCurrentIndex(findData(QString::fromStdString(m_current.id)));
}

void DeviceBox::showPopup() {
    if (m_isListed)
        return WheelSafeComboBox::showPopup();
    if (m_worker.isBusy())
        return;
    setItemText(0, tr("Looking for devices…"));
    m_worker.run([](const std::stop_token&) { return computeDevices(); });
}

void DeviceBox::list(const std::vector<ComputeDevice>& devices) {
    m_isListed = true;
    clear();
    for (const ComputeDevice& device : devices) {
        addItem(textOf(device), QString::fromStdString(device.id));
        setItemData(count() - 1, shownText(device.facts), Qt::ToolTipRole);
    }
    setCurrentIndex(findData(QString::fromStdString(m_current.id)));
    emit listed();
}

} // namespace scanloupe::gui
