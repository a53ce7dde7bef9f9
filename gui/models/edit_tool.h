#pragma once
// Declares the tools that edit by hand in the views: outlines, picks, and strokes of brushes, which select or
// change the surface.
#include "engine/edit/edits.h"
#include "gui/jobs/background_worker.h"
#include "gui/models/brush_plane.h"
#include "gui/views/surface/scene_marks.h"
#include "gui/views/view_tool.h"

#include <QObject>
#include <optional>
#include <vector>

namespace scanloupe::gui {

enum class EditToolKind {
    rectangle,
    lasso,
    polygon,
    brush,
    eraser,
    connected,
    similar,
    fill,
    carve,
    smooth,
    flatten,
    raise,
    clone
};
/// Whether a tool changes the surface, and no points.
bool isSculpting(EditToolKind kind);

/// What people do with a tool in the views, as regions of a selection. Shift adds to the selection, Ctrl
/// subtracts from it, both intersect; a brush always adds, or does the opposite with Ctrl, and with Shift
/// goes on in a straight line from where it was.
class EditTool : public QObject, public ViewTool {
    Q_OBJECT
public:
    explicit EditTool(QObject* parent = nullptr);

    /// None while no tool is active.
    std::optional<EditToolKind> kind() const { return m_kind; }
    void setKind(std::optional<EditToolKind> kind);
    /// Of the brush, in the unit of the scan.
    double radius() const { return m_radius; }
    void setRadius(double radius);
    void setVisibleOnly(bool visibleOnly) { m_visibleOnly = visibleOnly; }
    bool isVisibleOnly() const { return m_visibleOnly; }
    /// The edge of the voxels: points about that far apart hide what is behind them, and belong together.
    void setSpacing(double spacing) { m_spacing = spacing; }
    double spacing() const { return m_spacing; }
    /// The outline that is being drawn, or the brush where it would work.
    std::vector<SceneMark> marks() const;
    /// What the stroke that goes on does to the surface; none if it selects.
    std::optional<SculptTool> sculptTool() const;
    /// The plane of the surface where the stroke began, for a brush that flattens.
    std::optional<BrushPlane> plane() const { return m_plane; }
    /// The way from where the stroke began to where `clone` takes the surface from.
    Vec3d cloneFrom() const { return m_cloneFrom; }
    /// Strokes that change the surface work on both sides of this plane; none: where they are.
    void setMirror(const std::optional<MirrorPlane>& mirror);
    const std::optional<MirrorPlane>& mirror() const { return m_mirror; }
    /// What a click does now; empty without a tool.
    QString hint() const;
    /// Drops what is being drawn, as when another scan is opened.
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
    /// marks() or hint() has changed.
    void changed();
    /// People have selected something.
    void selected(const scanloupe::SelectionStep& step);
    /// The brush or the eraser has gone on by `added`; at the end of the stroke `whole` is all of it.
    void stroked(const scanloupe::SelectionStep& added, const std::optional<scanloupe::SelectionStep>& whole);
    /// The stroke that has begun was given up.
    void strokeDropped();
    /// A click could select nothing: why, and what to do.
    void failed(const QString& sentence, const QString& nextStep);

private:
    bool isBrush() const;
    /// Where the brush is: on what lies under the cursor, but no deeper than the stroke so far.
    Vec3d placeOf(const ToolEvent& event) const;
    void showBrush(const ToolEvent& event);
    SceneMark circleAt(Vec3d place) const;
    /// Where `clone` takes the surface from, for the brush where it is; none: it was not chosen.
    std::optional<Vec3d> clonedPlace() const;
    void beginStroke(const ToolEvent& event);
    void goOn(Vec3d place, double pressure);
    void clearStroke();
    StrokeRegion strokeFrom(std::size_t first) const;
    /// Emits the part of the stroke from the last place to the end of m_stroke.
    void emitStroke(bool isDone);
    void endOutline();
    /// Gives an outline up whose view has moved since it was begun. Returns whether it did.
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
    SetOperation m_operation = SetOperation::replace; ///< of what is being drawn
    Camera m_camera;                                  ///< that it is drawn with
    QSizeF m_viewport;
    std::vector<QPointF> m_corners; ///< of the outline; a polygon's last one follows the cursor
    std::vector<Vec3d> m_outline;   ///< the corners, at the depth of the target
    bool m_isDrawing = false;
    std::vector<Vec3d> m_stroke;
    std::vector<double> m_pressures;  ///< at its places
    double m_strokeRadius = 0;        ///< that it was begun with
    std::size_t m_emitted = 0;        ///< places of m_stroke that were emitted
    std::optional<Vec3d> m_strokeEnd; ///< of the last stroke
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
