#pragma once
// Declares the parameter row of a position.
#include "gui/panels/parameters/parameter_row.h"

#include <array>

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

class NumberBox;

/// A position: three numbers, or "none" when neither recipe nor data has one.
class PositionRow : public ParameterRow {
    Q_OBJECT
public:
    explicit PositionRow(const Parameter& parameter, QWidget* parent = nullptr);
    void setUnit(LengthUnit unit) override;
    NumberBox* box(int axis) const { return m_boxes[std::size_t(axis)]; }

protected:
    void showValues(const Values& values, bool automatic) override;
    void showNone() override;

private:
    void editAxis(std::size_t axis, double value);

    QLabel* m_hint;
    std::array<NumberBox*, 3> m_boxes;
};

} // namespace scanloupe::gui
