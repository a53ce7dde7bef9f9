#pragma once
// Declares the manual editing tools of the views: outlines, picks, and brush strokes, which select or change
// the surface.
#include "engine/edit/edits.h"
#include "gui/jobs/background_worker.h"
#include "gui/tools/brush_plane.h"
#include "gui/tools/brush_stroke.h"
#include "gui/views/surface/scene_marks.h"
#include "gui/views/view_tool.h"

#include <QObject>
#include <optional>
#include <vector>

namespace scanloupe::gui {

/// The tools that select points, then a brush for each SculptTool.
enum class EditToolKind { rectangle, lasso, polygon, brush, eraser, connected, similar, firstSculpting };
constexpr EditToolKind kindOf(SculptTool tool) {
    return EditToolKind(int(EditToolKind::firstSculpting) + int(tool));
}
/// The brush that changes the surface; none for tools that select points.
std::optional<SculptTool> sculptToolOf(EditToolKind kind);

/// Turns the user's input with a tool in the views into regions of a selection. Shift adds to the selection,
/// Ctrl subtracts from it, both intersect. A brush always adds, or subtracts with Ctrl; with Shift it
/// continues in a straight line from the end of the last stroke.
class EditTool : public QObject, public ViewTool {
    Q_OBJECT
public:
    explicit EditTool(QObject* parent = nullptr);

    /// None while no tool is active.
    std::optional<EditToolKind> kind() const { return m_kind; }
    void setKind(std::optional<EditToolKind> kind);
    /// Radius of the brush, in the unit of the scan.
    double radius() const { return m_radius; }
    void setRadius(double radius);
    void setVisibleOnly(bool visibleOnly) { m_visibleOnly = visibleOnly; }
    bool isVisibleOnly() const { return m_visibleOnly; }
    /// Sets the edge of the voxels: points about this far apart hide points behind them, and count as
    /// connected.
    void setSpacing(double spacing) { m_spacing = spacing; }
    double spacing() const { return m_spacing; }
    /// The unfinished outline, or the brush at its current position.
    std::vector<SceneMark> marks() const;
    /// The sculpting tool of the current stroke; none if it selects.
    std::optional<SculptTool> sculptTool() const;
    /// The plane of the surface where the stroke began, for a brush that flattens.
    std::optional<BrushPlane> plane() const { return m_plane; }
    /// The offset from the start of the stroke to the place that `clone` copies from.
    Vec3d cloneFrom() const { return m_cloneFrom; }
    /// Mirrors strokes that change the surface at this plane; none: no mirroring.
    void setMirror(const std::optional<MirrorPlane>& mirror);
    const std::optional<MirrorPlane>& mirror() const { return m_mirror; }
    /// The effect of the next click; empty without a tool.
    QString hint() const;
    /// Discards the unfinished outline or stroke, e.g. when another scan is opened.
    void drop();

    bool isActive() const override { return m_kind.has_value(); }
    void hover(const ToolEvent& event) override;
    void press(const ToolEvent& event) override;
    void drag(const ToolEvent& event) override;
    void release(const ToolEvent& event) override;
    bool doubleClick() override;
    void leave() override;
    bool key(int key) override;

signals:
    void kindChanged();
    void radiusChanged(double radius);
    /// Emitted when marks() or hint() has changed.
    void changed();
    /// Emitted when the user has selected points.
    void selected(const scanloupe::SelectionStep& step);
    /// Emitted when the stroke is extended by `added`; at its end, `whole` is the complete stroke.
    void stroked(const scanloupe::SelectionStep& added, const std::optional<scanloupe::SelectionStep>& whole);
    /// Emitted when the current stroke is cancelled.
    void strokeDropped();
    /// Emitted with the reason and a suggestion when a click has selected nothing.
    void failed(const QString& sentence, const QString& nextStep);

private:
    bool isBrush() const;
    /// Whether the chosen brush copies the surface of a place that is clicked first.
    bool needsSource() const;
    /// The position of the brush: on the point under the cursor, but no deeper than the stroke so far.
    Vec3d placeOf(const ToolEvent& event) const;
    void showBrush(const ToolEvent& event);
    SceneMark circleAt(Vec3d place) const;
    /// The place that `clone` copies from for the current brush position; none: it was not chosen.
    std::optional<Vec3d> clonedPlace() const;
    void beginStroke(const ToolEvent& event);
    /// Emits the part of the stroke from the last emitted place to the end of the stroke.
    void emitStroke(bool isDone);
    void endOutline();
    /// Discards an outline whose view has moved since it was begun. Returns whether it did.
    bool dropIfMoved(const ToolEvent& event);
    void selectSimilar(const Hit& hit, SetOperation operation);

    struct Similar {
        int number = 0;
        std::optional<SelectionRegion> region = {};
        SetOperation operation = SetOperation::replace;
    };

    std::optional<EditToolKind> m_kind;
    double m_radius = 0.5, m_spacing = 0.1;
    bool m_visibleOnly = false;
    SetOperation m_operation = SetOperation::replace; ///< operation of the unfinished outline or stroke
    Camera m_camera;                                  ///< camera at its begin
    QSizeF m_viewport;
    std::vector<QPointF> m_corners; ///< corners of the outline; a polygon's last one follows the cursor
    std::vector<Vec3d> m_outline;   ///< the corners, at the depth of the target
    bool m_isDrawing = false;
    BrushStroke m_stroke;
    std::optional<Vec3d> m_strokeEnd; ///< end of the last stroke
    bool m_isOpposite = false;        ///< the stroke was begun with Ctrl
    std::optional<BrushPlane> m_plane;
    std::optional<MirrorPlane> m_mirror;
    std::optional<Vec3d> m_cloneSource; ///< the place that was clicked
    Vec3d m_cloneFrom;
    std::optional<Vec3d> m_brush;    ///< the place under the cursor
    Vec3d m_brushRight, m_brushDown; ///< axes of the view that the brush is in
    int m_pick = 0;
    BackgroundWorker<Similar> m_worker;
};

} // namespace scanloupe::gui
