#pragma once
// Declares the menus of the views: camera, layouts, detached windows, and display options.
#include "gui/controllers/window_context.h"
#include "gui/views/scan_view.h"

#include <QList>
#include <QPointer>
#include <optional>

class QAction;
class QMenu;

namespace scanloupe::gui {

class DifferenceDialog;

/// Moves the camera, arranges the views, and copies their pictures.
class ViewController : public Controller {
    Q_OBJECT
public:
    explicit ViewController(const WindowContext& window);

    /// Adds the action that copies the current view.
    void buildCopyAction(QMenu* edit);
    /// Adds the camera commands with their keys; returns the standard views.
    QList<QAction*> buildCameraActions(QMenu* view);
    /// Adds the contents of the picture as a submenu; returns one action each for points, voxels, mesh. Then
    /// adds the comparison of the views' mesh with the picture's.
    QList<QAction*> buildPictureActions(QMenu* view);
    /// Adds the layouts of the views, and the detached windows.
    void buildLayoutActions(QMenu* view);

private:
    void showPictureContent(), showDifference();
    void showMenu(QPoint at, const std::optional<Hit>& hit);
    void copyView();

    LinkedCamera& m_camera;
    ViewArea& m_views;
    QList<QAction*> m_cameraActions;  ///< fit, then the standard views
    QList<QAction*> m_pictureActions; ///< one each for points, voxels, mesh
    QAction* m_copyAction = nullptr;
    QMenu *m_pictureMenu = nullptr, *m_layoutMenu = nullptr;
    QPointer<DifferenceDialog> m_difference;
};

} // namespace scanloupe::gui
