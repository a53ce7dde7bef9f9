#pragma once
// Declares the area of the three views.
#include "gui/interop/transfer.h"
#include "gui/views/scan_view.h"
#include "gui/views/view_context.h"
#include "gui/views/view_sheet.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSize>
#include <QTimer>
#include <QWidget>
#include <array>

class QLabel;
class QSplitter;

namespace scanloupe::gui {

class DetachedView;
class MeshView;
class RasterView;
class SceneHandles;
class ViewTool;
class VoxelView;

/// How the views share their area.
enum class ViewLayout { beside, stacked, oneLarge, alone };

/// The three views, arranged by a layout. Any of them can fill the area, or move to a separate window.
class ViewArea : public QWidget {
    Q_OBJECT
public:
    explicit ViewArea(const ViewContext& context, QWidget* parent = nullptr);
    ~ViewArea() override;

    const std::array<ScanView*, 3>& views() const { return m_views; } ///< voxels, mesh, rasterized
    MeshView& meshView() { return *m_mesh; }
    RasterView& rasterView() { return *m_raster; }
    /// How the contents of the views reached the screen.
    Transfers transfers() const;
    /// Prepares the views, one in each round of the event loop, before they are shown. @note The window is on
    /// the screen.
    void prepare(std::size_t first = 0);
    void setSnapshot(const SnapshotPtr& snapshot);
    void setStyle(const ViewStyle& style);
    void setMarks(const SceneMarks& marks);
    /// During a measurement, a double click ends it instead of filling the area, and the cursor is a cross.
    void setMeasuring(bool measuring);
    /// Handles that a left drag moves. @param handles lives as long as the views
    void setHandles(SceneHandles* handles);
    /// A tool that a left drag works with while it is active. @param tool lives as long as the views
    void setTool(ViewTool* tool);

    ViewLayout viewLayout() const { return m_layout; }
    /// Arranges the views; the current one becomes the large or the single one.
    void arrange(ViewLayout layout);
    /// The view that had the focus last.
    ScanView* current() const { return m_current; }
    /// Gives a view the focus, and the large place in a layout that has one.
    void choose(ScanView* view);
    /// Lets one view fill the area, or returns to the previous layout.
    void toggleFill(ScanView* view);
    /// Moves a view to a separate window, or back.
    void setDetached(ScanView* view, bool detached);
    bool isDetached(const ScanView* view) const;

    /// Width over height of the largest view that is shown.
    double aspect() const;
    /// Size of the rasterized view, pixels, in an area of this size that is not shown yet.
    QSize rasterSizeIn(QSize area) const;

    /// All views as they are arranged, or next to each other while some are hidden or detached.
    ViewSheet sheet() const;

    /// The layout, and the windows of views that have their own, for restore().
    QJsonObject state() const;
    /// Restores as much as possible of a state that is damaged or from other screens.
    void restore(const QJsonObject& state);

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void nothingPicked();
    /// A double click or a right click during a measurement.
    void measureEnded();
    void pickFailed(const QString& sentence, const QString& nextStep);
    /// The user requests a menu of the current view at a position of the screen. @param hit under the cursor
    void menuRequested(QPoint at, const std::optional<scanloupe::gui::Hit>& hit);
    void pictureWanted(const scanloupe::Camera& camera, QSize devicePixels);
    /// transfers() has changed.
    void transferred();
    /// The layout, the large view, or the set of views in separate windows has changed.
    void arranged();
    void currentChanged();
    /// aspect() may have changed. Emitted at most once per round of the event loop.
    void reshaped();
    /// A view has moved to this window, whose keys are not those of the main window.
    void detached(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void place();
    void restoreWindows();
    void setCurrent(ScanView* view);
    /// The views that are not in separate windows.
    QList<ScanView*> docked() const;
    /// The view in the large place: the chosen one, or the first if that is in a separate window.
    ScanView* large() const;

    VoxelView* m_voxels;
    MeshView* m_mesh;
    RasterView* m_raster;
    std::array<ScanView*, 3> m_views{};
    bool m_measuring = false;
    std::array<DetachedView*, 3> m_windows{}; ///< null: the view is in the area
    QJsonArray m_windowsToCome;   ///< geometries from restore(), until the views have something to show
    QSplitter *m_outer, *m_inner; ///< m_inner has the small views next to a large one
    QTimer m_reshape;
    QLabel* m_empty; ///< shown while all views are detached
    ViewLayout m_layout = ViewLayout::beside,
               m_before = ViewLayout::beside; ///< the layout before one view filled the area
    ScanView* m_current;                      ///< the view that had the focus last
    ScanView* m_large;                        ///< the view chosen for the large place
};

} // namespace scanloupe::gui
