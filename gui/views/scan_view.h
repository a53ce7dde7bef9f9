#pragma once
#include "gui/jobs/scan_session.h"
#include "kernels/raster/rasterizer.h"

#include <QPointF>
#include <optional>

class QWidget;

namespace scanloupe::gui {

class ViewNavigation;

/// What lies under a pixel.
struct Hit {
    PrimitiveKind kind = PrimitiveKind::none;
    std::uint32_t index = 0;        ///< of the point, voxel or triangle
    Vec3d position;                 ///< on what was hit, file's frame
    SnapshotPtr snapshot = nullptr; ///< whose points, voxels or triangles are meant
};

/// How things look; taken from the recipe, so that views and picture agree.
struct ViewStyle {
    bool wireframe = false; ///< mesh view: edges over faces
    bool overlay = true;    ///< title and axes
    bool operator==(const ViewStyle&) const = default;
};

/// What every view of a scan does. The widgets are QOpenGLWidget or QWidget, so this is an interface beside
/// them.
class ScanView {
public:
    virtual ~ScanView() = default;
    virtual QWidget* widget() = 0;
    virtual QString title() const = 0;
    /// Shows new results; the old stay on screen until the first frame of the new ones.
    virtual void setSnapshot(const SnapshotPtr& snapshot) = 0;
    virtual void setStyle(const ViewStyle& style) = 0;
    /// What was drawn at a pixel of the widget.
    virtual std::optional<Hit> pick(QPointF pixel) = 0;
    /// True when everything of the snapshot is drawn, not a part or a proxy.
    virtual bool isComplete() const = 0;
    /// What mouse and keys do in this view; its signals say what was picked and that the view wants to fill
    /// the window.
    virtual ViewNavigation* navigation() = 0;
};

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::Hit)
