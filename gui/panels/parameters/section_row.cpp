// Edits the section as direction, position and thickness.
#include "gui/panels/parameters/section_row.h"

#include "engine/recipe/parameters.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/controls/wheel_safe_combo_box.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "gui/tools/section_edits.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// The axis that a direction lies along, if any.
std::optional<int> axisOf(Vec3d direction) {
    const Vec3d unit = normalized(direction);
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(unit[axis]) > 1 - 1e-12)
            return axis;
    return std::nullopt;
}

} // namespace

SectionRow::SectionRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_direction(new WheelSafeComboBox(this)), m_details(new QWidget(this)) {
    m_direction->setAccessibleName(tr("Section: direction"));
    m_direction->addItem(tr("Off"));
    for (const char* axis : {"x", "y", "z"})
        m_direction->addItem(tr("Along %1").arg(QLatin1String(axis)));
    m_direction->addItem(tr("Oblique"));
    setControl(m_direction);
    resetButton()->setFixedWidth(0); // no reset button: the entry "Off" resets the section
    auto* lines = new QGridLayout(m_details);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setHorizontalSpacing(4);
    lines->setVerticalSpacing(3);
    m_position = new ValueControl(tr("Section: position"), {p.min, p.max, false, {}, {}}, true, m_details);
    m_thickness = new NumberBox(m_details);
    m_thickness->setRange(0, p.max);
    m_thickness->setAccessibleName(tr("Section: thickness"));
    m_details->setToolTip(
        tr("Position of the section along its direction, and its thickness. Page Up and Page Down in a view "
           "move the section by its thickness, with Shift by a tenth."));
    auto* position = new QLabel(tr("Position"), m_details);
    position->setBuddy(m_position);
    auto* thickness = new QLabel(tr("Thickness"), m_details);
    thickness->setBuddy(m_thickness);
    lines->addWidget(position, 0, 0);
    lines->addWidget(m_position, 0, 1);
    lines->addWidget(thickness, 1, 0);
    lines->addWidget(m_thickness, 1, 1);
    lines->setColumnStretch(1, 1);
    grid()->addWidget(m_details, 1, 0, 1, 4);
    connect(m_direction, &QComboBox::activated, this, &SectionRow::choose);
    connect(m_position, &ValueControl::edited, this, &SectionRow::moveTo);
    connect(m_thickness, &NumberBox::valueChanged, this, [this](double thick) {
        if (!m_resolved->section || !(thick > 0))
            return;
        Section section = *m_resolved->section;
        section.thickness = thick;
        edit(section);
    });
    SectionRow::setUnit(LengthUnit::metre);
    SectionRow::showNone();
}

void SectionRow::setUnit(LengthUnit unit) {
    m_position->setUnit(unitSymbol(unit));
    m_thickness->setSuffix(QLatin1Char(' ') + unitSymbol(unit));
}

void SectionRow::edit(const Section& section) {
    const auto& [at, direction, thickness] = section;
    ParameterRow::edit(Values{at.x, at.y, at.z, direction.x, direction.y, direction.z, thickness});
}

void SectionRow::showRecipe(const Recipe& requested, const Recipe& resolved) {
    m_resolved = resolved;
    m_resolved->section = requested.section;
    m_direction->setEnabled(m_resolved->rangeMin && m_resolved->voxelSize);
    ParameterRow::showRecipe(requested, resolved);
}

void SectionRow::choose(int direction) {
    if (direction == off) {
        m_last = m_resolved->section;
        return ParameterRow::edit(std::nullopt);
    }
    if (direction == other) {
        if (m_last && !axisOf(m_last->direction))
            return edit(*m_last);
        return edit(sectionAcross({1, 1, 0}, m_resolved)); // can be turned in the views, or set by two points
    }
    Vec3d across;
    across[direction - acrossX] = 1;
    Section section = sectionAcross(across, m_resolved);
    if (m_resolved->section)
        section.thickness = m_resolved->section->thickness;
    else if (m_last)
        section.thickness = m_last->thickness;
    edit(section);
}

double SectionRow::positionOf(const Section& section) const {
    if (const auto axis = axisOf(section.direction))
        return section.at[*axis];
    return dot(normalized(section.direction), section.at - rangeBoxOf(m_resolved).middle());
}

void SectionRow::moveTo(double position) {
    if (!m_resolved->section)
        return;
    Section section = *m_resolved->section;
    if (const auto axis = axisOf(section.direction))
        section.at[*axis] = position;
    else
        section.at = section.at + normalized(section.direction) * (position - positionOf(section));
    edit(section);
}

void SectionRow::showValues(const Values&, bool) {
    const Section& section = *m_resolved->section;
    m_last = section;
    const auto axis = axisOf(section.direction);
    m_direction->setCurrentIndex(axis ? acrossX + *axis : other);
    m_details->show();
    const double position = positionOf(section);
    if (m_resolved->rangeMin) {
        const bool isBackwards = axis && section.direction[*axis] < 0;
        const SectionSpan span = spanOf(section, m_resolved);
        const double low = isBackwards ? -span.high : span.low, high = isBackwards ? -span.low : span.high;
        m_position->setScale({position + low, position + high});
    }
    m_position->setValue(position);
    m_thickness->showValue(section.thickness);
    m_thickness->setSingleStep(section.thickness / 10);
}

void SectionRow::showNone() {
    m_direction->setCurrentIndex(off);
    m_details->hide();
}

} // namespace scanloupe::gui
