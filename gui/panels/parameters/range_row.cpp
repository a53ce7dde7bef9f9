// Edits the range as bounds along each axis.
#include "gui/panels/parameters/range_row.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/parameters.h"
#include "gui/base/length_text.h"
#include "gui/sliders/range_slider.h"

#include <QGridLayout>
#include <QLabel>

namespace scanloupe::gui {

RangeRow::RangeRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_hint(new QLabel(this)) {
    m_hint->setEnabled(false);
    setControl(m_hint);
    auto* cells = new QGridLayout;
    cells->setHorizontalSpacing(4);
    cells->setVerticalSpacing(3);
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = std::size_t(axis);
        const QString name = QStringLiteral("xyz").mid(axis, 1);
        auto* label = new QLabel(name, this);
        label->setFixedSize(label->fontMetrics().horizontalAdvance(QLatin1Char('M')),
                            RangeSlider(nullptr).sizeHint().height());
        m_axes[a] = new RangeControl({tr("Range: lowest %1").arg(name), tr("Range along %1").arg(name),
                                      tr("Range: highest %1").arg(name)},
                                     p.min, p.max, this);
        cells->addWidget(label, axis, 0, Qt::AlignTop);
        cells->addWidget(m_axes[a], axis, 1);
        connect(m_axes[a], &RangeControl::edited, this,
                [this, a](double lower, double upper) { editAxis(a, lower, upper); });
    }
    grid()->addLayout(cells, 1, 0, 1, 4);
    RangeRow::setUnit(LengthUnit::metre);
}

void RangeRow::setUnit(LengthUnit unit) {
    m_unit = unitSymbol(unit);
    m_hint->setText(tr("lowest and highest, %1").arg(m_unit));
}

void RangeRow::setSpan(const Bounds& bounds) {
    for (int axis = 0; axis < 3; ++axis)
        slider(axis)->setSpan(bounds.min[axis], bounds.max[axis]);
}

void RangeRow::setHistograms(const std::array<std::shared_ptr<const Histogram>, 3>& axes) {
    for (int axis = 0; axis < 3; ++axis)
        slider(axis)->setHistogram(axes[std::size_t(axis)], tr("points"), m_unit);
}

void RangeRow::editAxis(std::size_t axis, double lower, double upper) {
    Values values = shown();
    if (values.size() != 6)
        return;
    values[axis] = lower;
    values[axis + 3] = upper;
    edit(values);
}

void RangeRow::showValues(const Values& values, bool automatic) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        m_axes[axis]->setValues(values[axis], values[axis + 3], automatic);
}

} // namespace scanloupe::gui
