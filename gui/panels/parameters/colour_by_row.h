#pragma once
// Declares the parameter row that chooses the values shown as colours.
#include "gui/panels/parameters/parameter_row.h"

class QComboBox;

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// Chooses the values shown as colours, from those that the scan has.
class ColourByRow : public ParameterRow {
    Q_OBJECT
public:
    explicit ColourByRow(const Parameter& parameter, QWidget* parent = nullptr);
    void showRecipe(const Recipe& requested, const Recipe& resolved) override;
    /// Lists the values that the scan or the volume of these results can be coloured by.
    void setSource(const Snapshot& snapshot);
    QComboBox* combo() const { return m_combo; }

protected:
    void showValues(const Values&, bool) override {}

private:
    void add(const QString& label, const QString& key);
    void select();

    QComboBox* m_combo;
    QString m_current;
};

} // namespace scanloupe::gui
