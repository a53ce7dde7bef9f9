#pragma once
// Declares the area of the three views.
#include "gui/app/view_sheet.h"
#include "gui/interop/transfer.h"
#include "gui/views/scan_view.h"
#include "gui/views/view_context.h"

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

/// The three views, arranged by a layout. Any of them can fill the area, or move to a window of its own.
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
    /// While people measure, a double click ends what they measure instead of filling the area, and the
    /// cursor is a cross.
    void setMeasuring(bool measuring);
    /// Handles that a left drag moves. @param handles lives as long as the views
    void setHandles(SceneHandles* handles);
    /// A tool that a left drag works with while it is active. @param tool lives as long as the views
    void setTool(ViewTool* tool);

    ViewLayout viewLayout() const { return m_layout; }
    /// Arranges the views; the current one is the large one, or the one alone.
    void arrange(ViewLayout layout);
    /// The view that had the focus last.
    ScanView* current() const { return m_current; }
    /// Gives a view the focus, and the large place in a layout that has one.
    void choose(ScanView* view);
    /// Lets one view fill the area, or returns to the layout before.
    void toggleFill(ScanView* view);
    /// Moves a view to a window of its own, or back.
    void setDetached(ScanView* view, bool detached);
    bool isDetached(const ScanView* view) const;

    /// Width over height of the largest view that is shown.
    double aspect() const;
    /// Size of the rasterized view, pixels, in an area of this size that is not shown yet.
    QSize rasterSizeIn(QSize area) const;

    /// All views as they lie here, or side by side while not all of them do.
    ViewSheet sheet() const;

    /// The layout, and the windows of views that have their own, for restore().
    QJsonObject state() const;
    /// Does what it can of a state that is damaged, or of other screens.
    void restore(const QJsonObject& state);

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void nothingPicked();
    /// A double click or a right click, while people measure.
    void measureEnded();
    void pickFailed(const QString& sentence, const QString& nextStep);
    /// A menu of the current view is wanted at a place of the screen, under which this was hit.
    void menuRequested(QPoint at, const std::optional<scanloupe::gui::Hit>& hit);
    void pictureWanted(const scanloupe::Camera& camera, QSize devicePixels);
    /// transfers() has changed.
    void transferred();
    /// The layout, the large view, or the views that have windows of their own have changed.
    void arranged();
    void currentChanged();
    /// aspect() may have changed; once per round of the event loop.
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
    /// The views that have no windows of their own.
    QList<ScanView*> docked() const;
    /// The view in the large place: the chosen one, or the first if that has a window of its own.
    ScanView* large() const;

    VoxelView* m_voxels;
    MeshView* m_mesh;
    RasterView* m_raster;
    std::array<ScanView*, 3> m_views{};
    bool m_measuring = false;
    std::array<DetachedView*, 3> m_windows{}; ///< null: the view is in the area
    QJsonArray m_windowsToCome;   ///< geometries of restore(), until there is something to see in them
    QSplitter *m_outer, *m_inner; ///< the inner one has the small views beside a large one
    QTimer m_reshape;
    QLabel* m_empty; ///< in place of views that are all elsewhere
    ViewLayout m_layout = ViewLayout::beside,
               m_before = ViewLayout::beside; ///< before one view filled the area
    ScanView* m_current;                      ///< had the focus last
    ScanView* m_large;                        ///< chosen for the large place
};

} // namespace scanloupe::gui
