#pragma once
#include "engine/pipeline/parameters.h"

#include <QWidget>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace scanloupe::gui {

/// A text of the parameters' declaration, translated.
QString parameterText(const std::string& text);

/// One parameter on a line: its label, its control, and a button that goes back to what the data or the
/// default says. Subclasses give the control.
class ParameterRow : public QWidget {
    Q_OBJECT
public:
    const Parameter& parameter() const { return m_parameter; }
    /// Shows what was asked for, or what was chosen in its place, without telling anyone.
    virtual void showRecipe(const Recipe& requested, const Recipe& resolved);

    int labelWidth() const; ///< pixels that the label wants
    void setLabelWidth(int pixels);
    /// Goes back to the data's choice or the default.
    QToolButton* resetButton() const { return m_reset; }

signals:
    /// Someone moved the control or reset it: the recipe as it was shown, with this parameter changed.
    void edited(const scanloupe::Recipe& recipe);

protected:
    using Values = std::vector<double>;

    /// Without `labelled`, the control names itself and takes the label's place.
    ParameterRow(const Parameter& parameter, bool labelled, QWidget* parent);
    /// `chosen`: nobody set them.
    virtual void showValues(const Values& values, bool automatic) = 0;
    virtual void showNone() {} ///< Neither recipe nor data has a value.
    /// The control's place; further lines may follow below.
    void setControl(QWidget* control);
    QGridLayout* grid() const { return m_grid; }
    void edit(const std::optional<Values>& values);
    void editText(const std::string& text);
    const Values& shown() const { return m_shown; }

private:
    void resetClicked();
    void showReset(bool automatic, bool differs);

    const Parameter& m_parameter;
    Recipe m_requested;
    Values m_shown; ///< of all components; empty while unknown
    QGridLayout* m_grid;
    QLabel* m_label = nullptr;
    QToolButton* m_reset;
};

} // namespace scanloupe::gui
