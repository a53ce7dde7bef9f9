#pragma once
// Declares the parameter row of the range.
#include "gui/panels/parameters/parameter_row.h"
#include "gui/sliders/range_control.h"

#include <array>
#include <memory>

namespace scanloupe {
struct Bounds;
struct Histogram;
struct Parameter;
} // namespace scanloupe

namespace scanloupe::gui {

/// The axis-aligned box that is processed: an interval for each axis.
class RangeRow : public ParameterRow {
    Q_OBJECT
public:
    explicit RangeRow(const Parameter& parameter, QWidget* parent = nullptr);
    /// Sets the extent of the sliders.
    void setSpan(const Bounds& bounds);
    void setUnit(LengthUnit unit) override;
    /// Shows histograms of the coordinates along x, y and z behind the sliders.
    void setHistograms(const std::array<std::shared_ptr<const Histogram>, 3>& axes);
    RangeSlider* slider(int axis) const { return m_axes[std::size_t(axis)]->slider(); }
    NumberBox* lower(int axis) const { return m_axes[std::size_t(axis)]->lower(); }
    NumberBox* upper(int axis) const { return m_axes[std::size_t(axis)]->upper(); }

protected:
    void showValues(const Values& values, bool automatic) override;

private:
    void editAxis(std::size_t axis, double lower, double upper);

    QLabel* m_hint;
    QString m_unit;
    std::array<RangeControl*, 3> m_axes;
};

} // namespace scanloupe::gui
