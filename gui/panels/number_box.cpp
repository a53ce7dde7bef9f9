#include "gui/panels/number_box.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

NumberBox::NumberBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setKeyboardTracking(false);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setFocusPolicy(Qt::StrongFocus);
    setGroupSeparatorShown(false);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void NumberBox::showValue(double value) {
    if (value == m_shown && hasFocus() && lineEdit()->isModified())
        return;
    m_shown = value;
    const QSignalBlocker blocker(this);
    setValue(value);
}

QString NumberBox::textFromValue(double value) const {
    const double size = std::abs(value);
    QString text;
    if (size != 0 && (size < 1e-4 || size >= 1e10)) {
        text =
            locale().toString(value, 'g', 6).toLower(); // Qt's own takes either, but a small e reads better
    } else {
        const int before = size < 1 ? 0 : int(std::floor(std::log10(size))) + 1;
        text = locale().toString(value, 'f', std::clamp(9 - before, 0, std::min(decimals(), 6)));
        const QString point = locale().decimalPoint();
        if (text.contains(point)) {
            while (text.endsWith(locale().zeroDigit()))
                text.chop(1);
            if (text.endsWith(point))
                text.chop(point.size());
        }
    }
    return text.remove(locale().groupSeparator());
}

QSize NumberBox::minimumSizeHint() const {
    const QSize hint = QDoubleSpinBox::minimumSizeHint();
    // the declared limits may have many digits; the values that people work with have few, so that boxes
    // above each other are of one width
    const auto wide = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
    if (buttonSymbols() == NoButtons)
        return {wide(QStringLiteral("-000000.00")) + 6, hint.height()};
    const int widest = std::max({wide(QStringLiteral("0000.000")), wide(QStringLiteral("0000") + suffix()),
                                 wide(specialValueText() + QLatin1Char(' '))});
    return {widest + 24, hint.height()};
}

void NumberBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace scanloupe::gui
