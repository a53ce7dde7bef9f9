#pragma once
// Declares the interface of all views of a scan.
#include "engine/cloud/reference/length_unit.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/views/surface/scene_marks.h"
#include "kernels/raster/core/raster_scene.h"

#include <QImage>
#include <QPointF>
#include <optional>

class QWidget;

namespace scanloupe::gui {

class ViewNavigation;

/// The primitive under a pixel.
struct Hit {
    PrimitiveKind kind = PrimitiveKind::none;
    std::uint32_t index = 0;        ///< index of the point, voxel or triangle
    Vec3d position;                 ///< position on the primitive, file's frame
    SnapshotPtr snapshot = nullptr; ///< the results that `index` refers to
    /// A point of a line that is drawn over the scan, near the pixel; possibly without a primitive.
    std::optional<Vec3d> onLine = {};
};

/// Appearance of the views; from the recipe, so that views and picture agree.
struct ViewStyle {
    bool wireframe = false;              ///< mesh view: edges over faces
    bool overlay = true;                 ///< title and axes
    LengthUnit unit = LengthUnit::metre; ///< unit of the coordinates, in the legend
    bool operator==(const ViewStyle&) const = default;
};

/// Interface of all views of a scan. The widgets are QOpenGLWidget or QWidget, so this is a second base
/// class.
class ScanView {
public:
    virtual ~ScanView() = default;
    virtual QWidget* widget() = 0;
    virtual QString title() const = 0;
    /// Prepares drawing before the widget is shown, while its window is on the screen, so that the first
    /// picture is not delayed.
    virtual void prepare() = 0;
    /// Shows new results; the old ones stay on the screen until the first frame of the new ones.
    virtual void setSnapshot(const SnapshotPtr& snapshot) = 0;
    virtual void setStyle(const ViewStyle& style) = 0;
    /// Draws marks over the scan, which follow the camera.
    virtual void setMarks(const SceneMarks& marks) = 0;
    /// Picks the primitive at a pixel of the widget.
    virtual std::optional<Hit> pick(QPointF pixel) = 0;
    /// True when the snapshot is drawn completely, at the finest level.
    virtual bool isComplete() const = 0;
    /// The displayed picture, in device pixels, with title, axes and legend.
    virtual QImage shownImage() = 0;
    /// Mouse and keyboard navigation of this view; its signals report picks, and requests to fill the window.
    virtual ViewNavigation* navigation() = 0;
};

} // namespace scanloupe::gui

Q_DECLARE_METATYPE(scanloupe::gui::Hit)
