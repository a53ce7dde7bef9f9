#pragma once
// Protects the value of a combo box from wheel events that scroll the panel.
#include <QComboBox>

namespace scanloupe::gui {

/// A combo box that passes wheel events to the panel unless it has the focus. In a narrow panel it shortens
/// its text, and the tool tip has the whole text.
class WheelSafeComboBox : public QComboBox {
public:
    explicit WheelSafeComboBox(QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The current text, shortened to the available width.
    QString shortened() const;
};

} // namespace scanloupe::gui
