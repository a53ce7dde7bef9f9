#pragma once
// Declares the dialog that saves a section as a drawing.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/section/section_drawing.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/export_runner.h"

#include <QDialog>
#include <filesystem>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace scanloupe::gui {

/// Asks for the file of a section: lines as DXF or SVG, or a picture to scale as PNG.
class SectionDialog : public QDialog {
    Q_OBJECT
public:
    /// @param snapshot with a section
    /// @param up unit vector of the up axis
    /// @param unit of the coordinates
    /// @param scans the files that are open, which no output may replace
    SectionDialog(SnapshotPtr snapshot, Vec3d up, LengthUnit unit, std::vector<std::filesystem::path> scans,
                  QWidget* parent = nullptr);

    QString path() const;
    void setPath(const QString& path);
    QComboBox* scale() const { return m_scale; }
    QSpinBox* resolution() const { return m_resolution; }
    /// Names the job in messages.
    QString description() const;
    /// The export that was chosen.
    ExportJob job() const;

private:
    void browse();
    void showValidity();
    double scaleNumber() const;
    /// Size of the PNG, pixels.
    QSize pixels() const;
    bool hasScale() const { return rowOf(m_unit).metres > 0; }

    SnapshotPtr m_snapshot;
    std::vector<std::filesystem::path> m_scans;
    SectionDrawing m_drawing;
    LengthUnit m_unit;
    QLineEdit* m_path;
    QComboBox* m_scale;
    QSpinBox* m_resolution;
    QLabel* m_hint;
    QPushButton* m_save = nullptr;
};

} // namespace scanloupe::gui
