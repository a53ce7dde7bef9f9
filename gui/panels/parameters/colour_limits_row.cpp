// Edits the limits of the colour map.
#include "gui/panels/parameters/colour_limits_row.h"

#include "engine/recipe/parameters.h"
#include "gui/sliders/range_slider.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

namespace scanloupe::gui {

ColourLimitsRow::ColourLimitsRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_quantity(new QLabel(this)) {
    m_quantity->setEnabled(false);
    m_quantity->setWordWrap(true);
    // a long name must not widen the panel
    m_quantity->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setControl(m_quantity);
    m_control = new RangeControl(
        {tr("Colour limits: lowest"), tr("Colour limits"), tr("Colour limits: highest")}, p.min, p.max, this);
    grid()->addWidget(m_control, 1, 0, 1, 4);
    connect(m_control, &RangeControl::edited, this, [this](double lower, double upper) {
        edit(Values{lower, upper});
    });
}

void ColourLimitsRow::setLegend(const ColourLegend& legend) {
    m_quantity->setText(legend.title);
    m_quantity->setToolTip(legend.title);
    m_control->slider()->setColourMap(legend.map);
}

void ColourLimitsRow::setHistogram(const std::shared_ptr<const Histogram>& histogram, bool ofVolume) {
    m_histogram = histogram;
    m_control->slider()->setHistogram(histogram, ofVolume ? tr("vertices") : tr("voxels"), {});
    showSpan();
}

void ColourLimitsRow::showSpan() {
    if (shown().size() != 2)
        return;
    double low = shown()[0], high = shown()[1];
    if (m_histogram) {
        low = std::min(low, m_histogram->low);
        high = std::max(high, m_histogram->high);
    }
    m_control->slider()->setSpan(low, high);
}

void ColourLimitsRow::showValues(const Values& values, bool automatic) {
    showSpan();
    m_control->setValues(values[0], values[1], automatic);
}

} // namespace scanloupe::gui
