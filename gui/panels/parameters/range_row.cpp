// Edits the range as bounds along each axis.
#include "gui/panels/parameters/range_row.h"

#include "engine/cloud/point_cloud.h"
#include "gui/controls/number_box.h"
#include "gui/controls/range_slider.h"
#include "gui/controls/theme.h"
#include "gui/models/number_text.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

namespace scanloupe::gui {

RangeRow::RangeRow(const Parameter& p, QWidget* parent) : ParameterRow(p, true, parent) {
    auto* hint = new QLabel(tr("lowest and highest, %1").arg(parameterText(p.unit)), this);
    hint->setEnabled(false);
    setControl(hint);
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = std::size_t(axis);
        const QString name = QStringLiteral("xyz").mid(axis, 1);
        auto* cell = new QGridLayout;
        cell->setHorizontalSpacing(4);
        cell->setVerticalSpacing(0);
        auto* label = new QLabel(name, this);
        label->setFixedWidth(label->fontMetrics().horizontalAdvance(QLatin1Char('M')));
        m_axes[a].lower = makeBox(tr("Range: lowest %1").arg(name));
        m_axes[a].slider = new RangeSlider(this);
        m_axes[a].slider->setAccessibleName(tr("Range along %1").arg(name));
        m_axes[a].upper = makeBox(tr("Range: highest %1").arg(name));
        // the numbers stand below the ends of the slider, which has all the width for its bars
        cell->addWidget(label, 0, 0);
        cell->addWidget(m_axes[a].slider, 0, 1, 1, 3);
        cell->addWidget(m_axes[a].lower, 1, 1);
        cell->addWidget(m_axes[a].upper, 1, 3);
        cell->setColumnStretch(2, 1);
        setTabOrder(m_axes[a].lower, m_axes[a].slider);
        setTabOrder(m_axes[a].slider, m_axes[a].upper);
        grid()->addLayout(cell, axis + 1, 0, 1, 4);
        connect(m_axes[a].slider, &RangeSlider::edited, this,
                [this, a](double lower, double upper) { editBoth(a, lower, upper); });
        connect(m_axes[a].slider, &RangeSlider::numberWanted, this, [this, axis](int handle) {
            NumberBox* box = handle == 0 ? lower(axis) : upper(axis);
            box->setFocus(Qt::OtherFocusReason);
            box->selectAll();
        });
        connect(m_axes[a].lower, &NumberBox::valueChanged, this, [this, a](double v) { editOne(a, v); });
        connect(m_axes[a].upper, &NumberBox::valueChanged, this, [this, a](double v) { editOne(a + 3, v); });
    }
}

NumberBox* RangeRow::makeBox(const QString& name) {
    auto* box = new NumberBox(this);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setRange(parameter().min, parameter().max);
    box->setAccessibleName(name);
    return box;
}

void RangeRow::setSpan(const Bounds& bounds) {
    for (int axis = 0; axis < 3; ++axis)
        slider(axis)->setSpan(bounds.min[axis], bounds.max[axis]);
}

void RangeRow::setHistograms(const std::array<std::shared_ptr<const Histogram>, 3>& axes) {
    for (int axis = 0; axis < 3; ++axis)
        slider(axis)->setHistogram(axes[std::size_t(axis)], tr("points"), parameterText(parameter().unit));
}

void RangeRow::editOne(std::size_t component, double value) {
    Values values = shown();
    if (values.size() != 6)
        return;
    // an empty range can't be run: the typed end counts, and the other end moves
    const std::size_t axis = component % 3;
    const double size = values[axis + 3] - values[axis];
    values[component] = value;
    double& other = values[component < 3 ? axis + 3 : axis];
    if (!(values[axis] < values[axis + 3]))
        other = std::clamp(component < 3 ? value + size : value - size, parameter().min, parameter().max);
    if (values[axis] < values[axis + 3]) {
        edit(values);
        return;
    }
    // the other end is at its limit, or the size is below the resolution of numbers
    NumberBox* box = component < 3 ? lower(int(axis)) : upper(int(axis));
    box->showValue(shown()[component]);
    // queued, since receivers of the box's valueChanged() treat its input as accepted
    const auto refuse = [box, value] {
        emit box->refused(tr("With %1 the range would be empty").arg(numberText(value)),
                          tr("It stays as it was: type the other end first."));
    };
    QMetaObject::invokeMethod(box, refuse, Qt::QueuedConnection);
}

void RangeRow::editBoth(std::size_t axis, double lower, double upper) {
    Values values = shown();
    if (values.size() != 6)
        return;
    values[axis] = lower;
    values[axis + 3] = upper;
    edit(values);
}

void RangeRow::showValues(const Values& values, bool automatic) {
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = m_axes[a];
        const auto show = [automatic](NumberBox* box, double value) {
            box->showValue(value);
            showGreyed(box, automatic);
        };
        show(axis.lower, values[a]);
        show(axis.upper, values[a + 3]);
        axis.slider->setValues(values[a], values[a + 3]);
        axis.slider->setAutomatic(automatic);
    }
}

} // namespace scanloupe::gui
