// Keeps a slider and a spin box in step.
#include "gui/sliders/value_control.h"

#include "gui/controls/theme.h"
#include "gui/sliders/number_box.h"

#include <QBoxLayout>
#include <QSignalBlocker>

namespace scanloupe::gui {

ValueControl::ValueControl(const QString& name, const Limits& limits, bool withSlider, QWidget* parent)
    : QWidget(parent), m_box(new NumberBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    if (withSlider) {
        m_slider = new HistogramSlider(this);
        m_slider->setRange(0, ValueScale::kSteps);
        m_slider->setPageStep(ValueScale::kSteps / 20);
        m_slider->setSingleStep(ValueScale::kSteps / 200);
        m_slider->setAccessibleName(name);
        row->addWidget(m_slider, 1);
        connect(m_slider, &QSlider::valueChanged, this, &ValueControl::onSliderMoved);
        connect(m_slider, &HistogramSlider::numberWanted, this, [this] {
            m_box->setFocus(Qt::OtherFocusReason);
            m_box->selectAll();
        });
    } else {
        row->addStretch(1);
    }
    if (limits.whole)
        m_box->setDecimals(0);
    m_box->setRange(limits.min, limits.max);
    m_box->setSpecialValueText(limits.zeroText);
    m_box->setAccessibleName(name);
    setUnit(limits.unit);
    row->addWidget(m_box);
    connect(m_box, &NumberBox::valueChanged, this, &ValueControl::onNumberTyped);
    setFocusProxy(m_box);
    setValue(limits.min);
}

void ValueControl::standBelowBars() {
    m_slider->standBelowBars();
    auto* lines = static_cast<QBoxLayout*>(layout());
    lines->setDirection(QBoxLayout::TopToBottom);
    lines->setSpacing(0);
    lines->setAlignment(m_box, Qt::AlignRight);
    m_box->setMinimumWidth(m_box->sizeHint().width() * 3 / 2); // wide enough for the digits and a long unit
}

void ValueControl::setValue(double value) {
    m_value = value;
    m_box->showValue(value);
    showSlider();
}

void ValueControl::setScale(const ValueScale& scale) {
    if (!m_slider || m_slider->isSliderDown() || scale == m_scale)
        return;
    m_scale = scale;
    m_slider->setScale(scale);
    showSlider();
}

void ValueControl::setUnit(const QString& unit) {
    m_box->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
}

void ValueControl::setAutomatic(bool automatic) {
    showGreyed(m_box, automatic);
    if (m_slider) {
        showGreyed(m_slider, automatic);
        m_slider->setAutomatic(automatic);
    }
}

void ValueControl::onSliderMoved(int position) {
    m_value = m_scale.value(position);
    m_box->showValue(m_value);
    emit edited(m_value);
}

void ValueControl::onNumberTyped(double value) {
    m_value = value;
    showSlider();
    emit edited(m_value);
}

void ValueControl::showSlider() {
    if (!m_slider || m_slider->isSliderDown())
        return;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(m_scale.position(m_value));
}

} // namespace scanloupe::gui
