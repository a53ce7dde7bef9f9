// Edits a position as three numbers.
#include "gui/panels/parameters/position_row.h"

#include "engine/recipe/parameters.h"
#include "gui/base/length_text.h"
#include "gui/controls/theme.h"
#include "gui/sliders/number_box.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

namespace scanloupe::gui {

PositionRow::PositionRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_hint(new QLabel(this)) {
    m_hint->setEnabled(false);
    setControl(m_hint);
    auto* boxes = new QHBoxLayout;
    boxes->setSpacing(4);
    for (std::size_t axis = 0; axis < m_boxes.size(); ++axis) {
        auto* box = m_boxes[axis] = new NumberBox(this);
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setRange(p.min, p.max);
        box->setSpecialValueText(tr("none")); // shown for the lowest value, which means none
        box->setAccessibleName(parameterText(p.label) + QLatin1Char(' ') +
                               QString::fromStdString(p.components[axis]));
        boxes->addWidget(box, 1);
        connect(box, &NumberBox::valueChanged, this, [this, axis](double v) { editAxis(axis, v); });
    }
    grid()->addLayout(boxes, 1, 0, 1, 4);
    PositionRow::setUnit(LengthUnit::metre);
    PositionRow::showNone();
}

void PositionRow::setUnit(LengthUnit unit) {
    m_hint->setText(tr("x, y, z in %1").arg(unitSymbol(unit)));
}

void PositionRow::editAxis(std::size_t axis, double value) {
    if (value <= parameter().min) {
        edit(std::nullopt);
        return;
    }
    Values values = shown();
    if (values.empty())
        values.assign(m_boxes.size(), 0.0);
    values[axis] = value;
    edit(values);
}

void PositionRow::showValues(const Values& values, bool automatic) {
    for (std::size_t axis = 0; axis < m_boxes.size(); ++axis) {
        m_boxes[axis]->showValue(values[axis]);
        showGreyed(m_boxes[axis], automatic);
    }
}

void PositionRow::showNone() {
    for (NumberBox* box : m_boxes) {
        box->showValue(parameter().min);
        showGreyed(box, true);
    }
}

} // namespace scanloupe::gui
