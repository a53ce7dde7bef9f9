#pragma once
// Declares the form of a scan's unit and coordinate system.
#include "engine/cloud/reference/coordinate_reference.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace scanloupe::gui {

/// Shows the unit and the coordinate system of a scan and their source, and lets the user set them.
class ReferenceForm : public QWidget {
    Q_OBJECT
public:
    explicit ReferenceForm(QWidget* parent = nullptr);

    /// Shows a reference without emitting signals.
    void setReference(const CoordinateReference& reference, const ChosenReference& chosen);
    QComboBox* unit() const { return m_unit; }
    QLineEdit* system() const { return m_system; }
    /// Resets the unit to that of the file.
    QToolButton* unitOfFile() const { return m_unitOfFile; }
    /// The source of the unit.
    QString source() const;

signals:
    /// Emitted when the user has set or reset the unit or the coordinate system.
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
