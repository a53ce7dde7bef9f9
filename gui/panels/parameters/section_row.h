#pragma once
// Declares the parameter row of the section.
#include "engine/recipe/section.h"
#include "gui/panels/parameters/parameter_row.h"

#include <optional>

class QComboBox;

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

class NumberBox;
class ValueControl;

/// The slab that the scan is cut to: off, or its direction, its position along that, and its thickness.
class SectionRow : public ParameterRow {
    Q_OBJECT
public:
    explicit SectionRow(const Parameter& parameter, QWidget* parent = nullptr);
    void showRecipe(const Recipe& requested, const Recipe& resolved) override;
    void setUnit(LengthUnit unit) override;

    QComboBox* direction() const { return m_direction; }
    ValueControl* position() const { return m_position; }
    NumberBox* thickness() const { return m_thickness; }

protected:
    void showValues(const Values& values, bool automatic) override;
    void showNone() override;

private:
    /// The entries of the combo box.
    enum Direction { off, acrossX, acrossY, acrossZ, other };
    void choose(int direction);
    void moveTo(double position);
    void edit(const Section& section);
    /// The position of a section along its direction: a coordinate if that is an axis, otherwise the distance
    /// from the middle of the range.
    double positionOf(const Section& section) const;

    QComboBox* m_direction;
    ValueControl* m_position;
    NumberBox* m_thickness;
    QWidget* m_details;
    StoredRecipe m_resolved;       ///< requested values, or else automatic ones
    std::optional<Section> m_last; ///< the section before it was switched off
};

} // namespace scanloupe::gui
