// Keeps a slider with two handles and two boxes in step.
#include "gui/sliders/range_control.h"

#include "gui/controls/theme.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/text/number_text.h"
#include "kernels/core/vec3.h"

#include <QGridLayout>
#include <algorithm>

namespace scanloupe::gui {

RangeControl::RangeControl(const Names& names, double min, double max, QWidget* parent)
    : QWidget(parent), m_min(min), m_max(max) {
    m_boxes[0] = makeBox(names.lower);
    m_slider = new RangeSlider(this);
    m_slider->setAccessibleName(names.slider);
    m_boxes[1] = makeBox(names.upper);
    // the numbers are below the ends of the slider, so that its bars get the whole width
    auto* cells = new QGridLayout(this);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->setHorizontalSpacing(4);
    cells->setVerticalSpacing(0);
    cells->addWidget(m_slider, 0, 0, 1, 3);
    cells->addWidget(m_boxes[0], 1, 0);
    cells->addWidget(m_boxes[1], 1, 2);
    cells->setColumnStretch(1, 1);
    connect(m_slider, &RangeSlider::edited, this, [this](double lower, double upper) {
        m_values[0] = lower;
        m_values[1] = upper;
        emit edited(lower, upper);
    });
    connect(m_slider, &RangeSlider::numberWanted, this, [this](int handle) {
        m_boxes[handle]->setFocus(Qt::OtherFocusReason);
        m_boxes[handle]->selectAll();
    });
    for (int end = 0; end < 2; ++end)
        connect(m_boxes[end], &NumberBox::valueChanged, this,
                [this, end](double value) { onNumberTyped(end, value); });
}

NumberBox* RangeControl::makeBox(const QString& name) {
    auto* box = new NumberBox(this);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setRange(m_min, m_max);
    box->setAccessibleName(name);
    return box;
}

void RangeControl::setValues(double lower, double upper, bool automatic) {
    m_values[0] = lower;
    m_values[1] = upper;
    for (int end = 0; end < 2; ++end) {
        m_boxes[end]->showValue(m_values[end]);
        showGreyed(m_boxes[end], automatic);
    }
    m_slider->setValues(lower, upper);
    m_slider->setAutomatic(automatic);
}

void RangeControl::onNumberTyped(int end, double value) {
    // an empty interval is useless: the typed end counts, and the other end moves
    double values[2] = {m_values[0], m_values[1]};
    const double size = values[1] - values[0];
    values[end] = value;
    if (!(values[0] < values[1]))
        values[1 - end] = std::clamp(end == 0 ? value + size : value - size, m_min, m_max);
    if (values[0] < values[1]) {
        m_values[0] = values[0];
        m_values[1] = values[1];
        emit edited(values[0], values[1]);
        return;
    }
    // the other end is at its limit, or the size is below the resolution of numbers
    NumberBox* box = m_boxes[end];
    box->showValue(m_values[end]);
    // queued, since receivers of the box's valueChanged() treat its input as accepted
    const auto refuse = [box, value] {
        emit box->refused(tr("With %1 the range would be empty").arg(numberText(value)),
                          tr("The range is unchanged: enter the other end first."));
    };
    QMetaObject::invokeMethod(box, refuse, Qt::QueuedConnection);
}

} // namespace scanloupe::gui
