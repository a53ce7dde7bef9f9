// Implements a combo box for a panel that scrolls and may be narrow.
#include "gui/controls/wheel_safe_combo_box.h"

#include <QHelpEvent>
#include <QStylePainter>
#include <QToolTip>
#include <QWheelEvent>

namespace scanloupe::gui {

WheelSafeComboBox::WheelSafeComboBox(QWidget* parent) : QComboBox(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
}

void WheelSafeComboBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

QString WheelSafeComboBox::shortened() const {
    constexpr int kMargins = 4, kIconGap = 4; // pixels that styles reserve next to the text and the icon
    QStyleOptionComboBox option;
    initStyleOption(&option);
    int room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() -
        kMargins;
    if (!option.currentIcon.isNull())
        room -= option.iconSize.width() + kIconGap;
    return option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, room);
}

void WheelSafeComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shortened();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool WheelSafeComboBox::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && shortened() != currentText()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
        return true;
    }
    return QComboBox::event(event);
}

} // namespace scanloupe::gui
