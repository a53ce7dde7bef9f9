#pragma once
// Declares the form of a scan's unit and coordinate system.
#include "engine/reference/coordinate_reference.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace scanloupe::gui {

/// Shows the unit and the coordinate system of a scan, where they come from, and has people set them.
class ReferenceForm : public QWidget {
    Q_OBJECT
public:
    explicit ReferenceForm(QWidget* parent = nullptr);

    /// Shows a reference without emitting signals.
    void setReference(const CoordinateReference& reference, const ChosenReference& chosen);
    QComboBox* unit() const { return m_unit; }
    QLineEdit* system() const { return m_system; }
    /// Back to what the file says.
    QToolButton* unitOfFile() const { return m_unitOfFile; }
    QToolButton* systemOfFile() const { return m_systemOfFile; }
    /// Where the unit comes from.
    QString source() const;

signals:
    /// People have set a unit or a coordinate system, or gone back to what the file says.
    void edited(const scanloupe::ChosenReference& chosen);

private:
    QToolButton* addAutomatic(const QString& tip, const QString& name);
    void takeSystem();

    ChosenReference m_chosen;
    CoordinateReference m_reference;
    QComboBox* m_unit;
    QLabel* m_source;
    QLineEdit* m_system;
    QToolButton *m_unitOfFile, *m_systemOfFile;
};

} // namespace scanloupe::gui
