#pragma once
// Declares the parameter row that chooses the values shown as colours.
#include "gui/panels/parameters/parameter_row.h"

#include <memory>

class QComboBox;
class QLabel;
class QTableView;

namespace scanloupe {
struct ClassCounts;
struct Parameter;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

class ClassModel;

/// Chooses the values shown as colours, from those that the scan has. If these are classes, they are listed
/// below.
class ColourByRow : public ParameterRow {
    Q_OBJECT
public:
    explicit ColourByRow(const Parameter& parameter, QWidget* parent = nullptr);
    void showRecipe(const Recipe& requested, const Recipe& resolved) override;
    /// Lists the values that the scan or the volume of these results can be coloured by.
    void setSource(const Snapshot& snapshot);
    /// Lists classes and how many points each has; null: none.
    void setClasses(const std::shared_ptr<const ClassCounts>& classes);
    QComboBox* combo() const { return m_combo; }
    QTableView* classTable() const { return m_classTable; }

protected:
    void showValues(const Values&, bool) override {}

private:
    void add(const QString& label, const QString& key);
    void select();

    QComboBox* m_combo;
    ClassModel* m_classes;
    QTableView* m_classTable;
    QLabel* m_moreClasses; ///< number of classes that are not listed
    QString m_current;
};

} // namespace scanloupe::gui
