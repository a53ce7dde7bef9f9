// Edits parameters that are numbers, choices or flags.
#include "gui/panels/parameters/parameter_rows.h"

#include "engine/recipe/parameters.h"
#include "gui/base/length_text.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/sliders/value_control.h"
#include "kernels/raster/colours/colour_map.h"

#include <QCheckBox>
#include <QPainter>

namespace scanloupe::gui {

namespace {

QIcon colourMapIcon(ColourMapName name, QSize size) {
    const auto colours = colourMap(name);
    QImage strip(256, 1, QImage::Format_RGBA8888);
    for (int i = 0; i < 256; ++i) {
        const std::uint32_t c = colours[std::size_t(i)];
        strip.setPixelColor(i, 0, QColor(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)));
    }
    return QIcon(QPixmap::fromImage(strip.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
}

} // namespace

NumberRow::NumberRow(const Parameter& p, bool withSlider, QWidget* parent) : ParameterRow(p, true, parent) {
    ValueControl::Limits limits{
        p.min, p.max, p.kind == ParameterKind::integer, parameterUnit(p, LengthUnit::metre), {}};
    if (!withSlider && p.min == 0)
        limits.zeroText = p.stage == Stage::voxelize ? tr("no limit") : tr("off");
    m_control = new ValueControl(parameterText(p.label), limits, withSlider, this);
    if (p.key == "iso")
        m_control->standBelowBars();
    setControl(m_control);
    connect(m_control, &ValueControl::edited, this, [this](double value) { edit(Values{value}); });
}

void NumberRow::setUnit(LengthUnit unit) {
    if (parameter().isLength())
        m_control->setUnit(unitSymbol(unit));
}

void NumberRow::showValues(const Values& values, bool automatic) {
    m_control->setValue(values[0]);
    m_control->setAutomatic(automatic);
}

ChoiceRow::ChoiceRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_combo(new WheelSafeComboBox(this)) {
    m_combo->setAccessibleName(parameterText(p.label));
    const QSize swatch(56, 12);
    for (const std::string& name : p.choices) {
        if (const auto map = colourMapFromText(name); map && p.key == "colour_map")
            m_combo->addItem(colourMapIcon(*map, swatch), parameterText(name));
        else
            m_combo->addItem(parameterText(name));
    }
    if (p.key == "colour_map")
        m_combo->setIconSize(swatch);
    setControl(m_combo);
    connect(m_combo, &QComboBox::activated, this, [this](int index) { edit(Values{double(index)}); });
}

void ChoiceRow::showValues(const Values& values, bool automatic) {
    m_combo->setCurrentIndex(int(values[0]));
    showGreyed(m_combo, automatic);
}

FlagRow::FlagRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, false, parent), m_box(new QCheckBox(parameterText(p.label), this)) {
    setControl(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) { edit(Values{on ? 1.0 : 0.0}); });
}

void FlagRow::showValues(const Values& values, bool) {
    m_box->setChecked(values[0] != 0);
}

} // namespace scanloupe::gui
