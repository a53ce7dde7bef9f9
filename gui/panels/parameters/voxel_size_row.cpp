// Edits the voxel size, for all axes together or for each.
#include "engine/recipe/parameters.h"
#include "gui/base/length_text.h"
#include "gui/controls/icons.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/sliders/value_control.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

namespace scanloupe::gui {

VoxelSizeRow::VoxelSizeRow(const Parameter& p, QWidget* parent)
    : ParameterRow(p, true, parent), m_link(new QToolButton(this)) {
    const ValueControl::Limits limits{p.min, p.max, false, unitSymbol(LengthUnit::metre), {}};
    for (int axis = 0; axis < 3; ++axis) {
        const auto c = std::size_t(axis);
        const QString name = QString::fromStdString(p.components[c]);
        m_controls[c] =
            new ValueControl(parameterText(p.label) + QLatin1Char(' ') + name, limits, true, this);
        m_axes[c] = new QLabel(name, this);
        m_axes[c]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (axis > 0) {
            grid()->addWidget(m_controls[c], axis + 1, 1);
        }
        grid()->addWidget(m_axes[c], axis + 1, 0);
        connect(m_controls[c], &ValueControl::edited, this,
                [this, axis](double value) { editAxis(axis, value); });
    }
    m_link->setIcon(toolIcon(QStringLiteral("link")));
    m_link->setIconSize({14, 14});
    m_link->setFixedSize(22, 22);
    m_link->setAutoRaise(true);
    m_link->setCheckable(true);
    m_link->setFocusPolicy(Qt::TabFocus);
    m_link->setToolTip(tr("One size for all three axes"));
    m_link->setAccessibleName(tr("Voxel size: one for all axes"));
    grid()->addWidget(m_link, 0, 2);
    connect(m_link, &QToolButton::clicked, this, [this](bool linked) {
        setLinked(linked);
        const Values& values = shown();
        if (linked && values.size() == 3 && (values[0] != values[1] || values[0] != values[2]))
            edit(Values(3, values[0]));
    });
    setLinked(true);
}

void VoxelSizeRow::setScale(const ValueScale& scale) {
    for (ValueControl* control : m_controls)
        control->setScale(scale);
}

void VoxelSizeRow::setUnit(LengthUnit unit) {
    for (ValueControl* control : m_controls)
        control->setUnit(unitSymbol(unit));
}

void VoxelSizeRow::setLinked(bool linked) {
    m_linked = linked;
    m_link->setChecked(linked);
    // a single control, that of x, is in the row of the label
    grid()->removeWidget(m_controls[0]);
    if (linked)
        setControl(m_controls[0]);
    else
        grid()->addWidget(m_controls[0], 1, 1);
    for (std::size_t c = 0; c < 3; ++c) {
        m_axes[c]->setVisible(!linked);
        m_controls[c]->setVisible(!linked || c == 0);
    }
}

void VoxelSizeRow::editAxis(int axis, double value) {
    Values values = shown();
    if (values.size() != 3 || m_linked)
        values.assign(3, value);
    values[std::size_t(axis)] = value;
    edit(values);
}

void VoxelSizeRow::showValues(const Values& values, bool automatic) {
    if (m_linked && (values[0] != values[1] || values[0] != values[2]))
        setLinked(false);
    for (std::size_t c = 0; c < 3; ++c) {
        m_controls[c]->setValue(values[c]);
        m_controls[c]->setAutomatic(automatic);
    }
}

} // namespace scanloupe::gui
