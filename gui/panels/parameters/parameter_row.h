#pragma once
// Declares the base class of the parameter rows.
#include "engine/cloud/reference/length_unit.h"
#include "engine/recipe/stored_recipe.h"

#include <QWidget>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

/// Translates a text of the parameters' declarations.
QString parameterText(const std::string& text);

/// One parameter on a line: its label, its control, and a button that resets it to its automatic value or its
/// default. Subclasses provide the control.
class ParameterRow : public QWidget {
    Q_OBJECT
public:
    const Parameter& parameter() const { return m_parameter; }
    /// Shows the requested value, or the automatic one in its place, without emitting signals.
    virtual void showRecipe(const Recipe& requested, const Recipe& resolved);
    /// Shows the unit of the scan's coordinates after lengths.
    virtual void setUnit(LengthUnit) {}

    int labelWidth() const; ///< preferred width of the label, pixels
    void setLabelWidth(int pixels);
    /// Resets to the automatic value or the default.
    QToolButton* resetButton() const { return m_reset; }

signals:
    /// The user changed or reset the control: the displayed recipe with this parameter changed.
    void edited(const scanloupe::Recipe& recipe);

protected:
    using Values = std::vector<double>;

    /// Without `labelled`, the control has its own label and takes the place of the row's.
    ParameterRow(const Parameter& parameter, bool labelled, QWidget* parent);
    /// @param automatic chosen from the data or by default, not by the user
    virtual void showValues(const Values& values, bool automatic) = 0;
    virtual void showNone() {} ///< shows that neither recipe nor data has a value
    /// Places the control; further lines may follow below.
    void setControl(QWidget* control);
    QGridLayout* grid() const { return m_grid; }
    void edit(const std::optional<Values>& values);
    void editText(const std::string& text);
    const Values& shown() const { return m_shown; }

private:
    void resetClicked();
    void showReset(bool automatic, bool differs);

    const Parameter& m_parameter;
    StoredRecipe m_requested;
    Values m_shown; ///< values of all components; empty while unknown
    QGridLayout* m_grid;
    QLabel* m_label = nullptr;
    QToolButton* m_reset;
};

} // namespace scanloupe::gui
