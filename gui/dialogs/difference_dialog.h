#pragma once
// Declares the dialog that compares OpenGL with the software rasterizer.
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/linked_camera.h"
#include "gui/views/picture_difference.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QSpinBox;

namespace scanloupe::gui {

class MeshView;

/// Compares OpenGL with the software rasterizer: the mesh view's picture with one of the same mesh and
/// camera, and shows where they differ. Follows the mesh view; not modal.
class DifferenceDialog : public QDialog {
    Q_OBJECT
public:
    DifferenceDialog(MeshView& view, LinkedCamera& camera, QWidget* parent = nullptr);

    void setSnapshot(const SnapshotPtr& snapshot);
    const PictureDifference& difference() const { return m_difference; }
    QString sentence() const;

signals:
    /// The comparison with the current picture of the mesh view is complete.
    void compared();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Pictures {
        QImage openGl, software;
        Camera camera; ///< camera of both pictures
    };
    void draw();
    void onPictures(const Pictures& pictures);
    void compare();
    void showPicture();

    MeshView& m_view;
    LinkedCamera& m_camera;
    SnapshotPtr m_snapshot;
    QLabel *m_sentence, *m_picture;
    QComboBox* m_shown;
    QSpinBox* m_tolerance;
    QTimer m_drawTimer;
    Pictures m_pictures;
    PictureDifference m_difference;
    BackgroundWorker<Pictures> m_background;
};

} // namespace scanloupe::gui
