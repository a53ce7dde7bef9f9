#pragma once
#include "engine/cli/output_check.h"
#include "gui/jobs/scan_session.h"

#include <QDialog>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace scanloupe::gui {

class PictureOptions;

/// Asks what to write and where: the surface, the voxels or the picture, in a format by the file's ending.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    enum class What { mesh, voxels, picture };

    /// @param camera what a picture is taken with
    /// @param scans the files that are open, which no result may replace
    ExportDialog(SnapshotPtr snapshot, const Camera& camera, std::vector<std::filesystem::path> scans,
                 QWidget* parent = nullptr);

    What what() const;
    QString path() const;
    /// What is written, for messages: "surface to street.glb".
    QString description() const;
    /// Writes it; runs on a worker.
    ScanSession::Export job() const;
    /// Whose results it writes.
    const SnapshotPtr& snapshot() const { return m_snapshot; }

    PictureOptions* picture() const { return m_picture; }
    void choose(What what);
    void setPath(const QString& path);

private:
    void showSuggestion();
    void showValidity();
    bool fits(const QString& suffix) const;
    /// What has to be known of the format: whose coordinates it has, and what it can't hold.
    QString formatHint() const;
    void browse();

    SnapshotPtr m_snapshot;
    Camera m_camera;
    std::vector<std::filesystem::path> m_scans;
    cli::OutputCheck m_outputs; ///< knows the scans, which are looked at once
    QButtonGroup* m_what;
    PictureOptions* m_picture;
    QLineEdit* m_path;
    QLabel* m_hint;
    QPushButton* m_save;
    QString m_suggested; ///< path that the dialog proposed; replaced unless people changed it
};

} // namespace scanloupe::gui
