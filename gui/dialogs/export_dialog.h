#pragma once
// Declares the export dialog.
#include "engine/io/output_check.h"
#include "gui/jobs/background_worker.h"
#include "gui/jobs/export_runner.h"
#include "gui/views/view_sheet.h"
#include "kernels/raster/core/camera.h"

#include <QDialog>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace scanloupe::gui {

class PictureOptions;

/// Prompts for what to write and where: the points, the surface, the voxels or the picture; the
/// file's ending chooses the format.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    enum class What { points, mesh, voxels, picture };

    /// @param camera camera of a picture
    /// @param scans files that are open, which no output may replace
    ExportDialog(SnapshotPtr snapshot, const Camera& camera, const std::vector<std::filesystem::path>& scans,
                 QWidget* parent = nullptr);

    What what() const;
    QString path() const;
    /// Describes the export in messages: "surface to street.glb".
    QString description() const;
    /// The job for the export runner.
    ExportJob job() const;

    /// Offers a picture of all views, too.
    void setSheet(const ViewSheet& sheet);
    PictureOptions* picture() const { return m_picture; }
    void choose(What what);
    void setPath(const QString& path);

private:
    void showSuggestion();
    void showValidity();
    bool fits(const QString& suffix) const;
    /// Properties of the format: the frame of its coordinates, and values that it cannot store.
    QString formatHint() const;
    /// Values of the points that the format cannot store: found in the background, since the answer depends
    /// on the values.
    QString pointsHint() const;
    /// The number of points to write, and of all points if that differs.
    QString pointsText() const;
    void lookForLosses();
    void browse();

    SnapshotPtr m_snapshot;
    Camera m_camera;
    ViewSheet m_sheet;
    OutputCheck m_outputs; ///< examines the open scans once
    QButtonGroup* m_what;
    PictureOptions* m_picture;
    QLineEdit* m_path;
    QLabel* m_hint;
    QPushButton* m_save;
    struct Losses {
        std::string ending; ///< of the format
        QStringList sentences;
    };
    Losses m_losses; ///< losses of the points in the format that was checked last
    BackgroundWorker<Losses> m_lossWorker;
    QString m_suggested; ///< path that the dialog proposed; replaced unless the user changed it
};

} // namespace scanloupe::gui
