#pragma once
// Declares the form of an alignment's parameters.
#include "engine/align/scan_aligner.h"
#include "engine/cloud/reference/length_unit.h"

#include <QWidget>

class QComboBox;

namespace scanloupe::gui {

class NumberBox;

/// The target, the method and the limits of an alignment.
class AlignForm : public QWidget {
    Q_OBJECT
public:
    explicit AlignForm(QWidget* parent = nullptr);

    AlignParams params() const;
    /// Sets the unit of the scans' coordinates.
    void setUnit(LengthUnit unit);
    /// Enables the controls; while disabled, they show the parameters of the running alignment.
    void setEditable(bool isEditable);

private:
    void addMethods();
    void addNeighbours();
    void showState();

    QComboBox *m_to, *m_method;
    NumberBox *m_resolution, *m_search;
    QComboBox* m_neighbours;
    NumberBox* m_maxIterations;
    bool m_isEditable = true;
};

} // namespace scanloupe::gui
