#pragma once
// Protects the value of a combo box from wheel events that scroll the panel.
#include <QComboBox>
#include <QWheelEvent>

namespace scanloupe::gui {

/// A combo box that passes wheel events to the panel unless it has the focus.
class WheelSafeComboBox : public QComboBox {
public:
    explicit WheelSafeComboBox(QWidget* parent = nullptr) : QComboBox(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(6);
    }

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus())
            QComboBox::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace scanloupe::gui
