#pragma once
// Declares the area of the three views.
#include "gui/interop/transfer.h"
#include "gui/views/scan_view.h"
#include "gui/views/view_context.h"

#include <QSize>
#include <QSplitter>
#include <array>

namespace scanloupe::gui {

class MeshView;
class RasterView;
class VoxelView;

/// The three views side by side; any of them can fill the area.
class ViewArea : public QSplitter {
    Q_OBJECT
public:
    explicit ViewArea(const ViewContext& context, QWidget* parent = nullptr);

    const std::array<ScanView*, 3>& views() const { return m_views; } ///< voxels, mesh, rasterized
    MeshView& meshView() { return *m_mesh; }
    RasterView& rasterView() { return *m_raster; }
    /// How the contents of the views reached the screen.
    Transfers transfers() const;
    void setSnapshot(const SnapshotPtr& snapshot);
    void setStyle(const ViewStyle& style);
    void setMarks(const SceneMarks& marks);
    /// While people measure, a double click ends what they measure instead of filling the area, and the
    /// cursor is a cross.
    void setMeasuring(bool measuring);
    /// Lets one view fill the area, or shows all three again.
    void toggleFill(ScanView* view);
    /// Width over height of the views.
    double aspect() const;

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void nothingPicked();
    /// A double click or a right click, while people measure.
    void measureEnded();
    void pickFailed(const QString& sentence, const QString& nextStep);
    void pictureWanted(const scanloupe::Camera& camera, QSize devicePixels);
    /// transfers() has changed.
    void transferred();

private:
    VoxelView* m_voxels;
    MeshView* m_mesh;
    RasterView* m_raster;
    std::array<ScanView*, 3> m_views{};
    bool m_measuring = false;
};

} // namespace scanloupe::gui
