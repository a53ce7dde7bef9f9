#pragma once
// Declares the parameter rows of numbers, voxel sizes, choices and flags.
#include "gui/panels/parameters/parameter_row.h"
#include "gui/sliders/value_scale.h"

#include <array>

class QCheckBox;
class QComboBox;

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

class ValueControl;

/// A number with a slider.
class NumberRow : public ParameterRow {
    Q_OBJECT
public:
    /// Without a slider, the lowest value reads "no limit", or "off".
    NumberRow(const Parameter& parameter, bool withSlider, QWidget* parent = nullptr);
    void setUnit(LengthUnit unit) override;
    ValueControl* control() const { return m_control; }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    ValueControl* m_control;
};

/// The edge lengths of a voxel: one for all axes, or three.
class VoxelSizeRow : public ParameterRow {
    Q_OBJECT
public:
    explicit VoxelSizeRow(const Parameter& parameter, QWidget* parent = nullptr);
    void setScale(const ValueScale& scale);
    void setUnit(LengthUnit unit) override;
    bool isLinked() const { return m_linked; }
    QToolButton* linkButton() const { return m_link; }
    ValueControl* control(int axis) const { return m_controls[std::size_t(axis)]; }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    void setLinked(bool linked);
    void editAxis(int axis, double value);

    QToolButton* m_link;
    std::array<ValueControl*, 3> m_controls;
    std::array<QLabel*, 3> m_axes;
    bool m_linked = true;
};

/// A choice among several names.
class ChoiceRow : public ParameterRow {
    Q_OBJECT
public:
    explicit ChoiceRow(const Parameter& parameter, QWidget* parent = nullptr);
    QComboBox* combo() const { return m_combo; }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    QComboBox* m_combo;
};

/// A check box.
class FlagRow : public ParameterRow {
    Q_OBJECT
public:
    explicit FlagRow(const Parameter& parameter, QWidget* parent = nullptr);
    QCheckBox* box() const { return m_box; }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    QCheckBox* m_box;
};

} // namespace scanloupe::gui
