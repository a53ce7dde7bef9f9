#pragma once
// Declares the tool that cuts scans in the views: the range as a box, and the section as a slab, with
// handles.
#include "engine/reference/length_unit.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/models/box_handles.h"
#include "gui/models/section_snap.h"
#include "gui/views/scene_handles.h"

#include <QObject>
#include <optional>

namespace scanloupe::gui {

/// The range and the section in the views. What is dragged becomes a changed recipe at once.
class CutTool : public QObject, public SceneHandles {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Shows the box of the range, and the planes of the section, with their handles.
    void setShown(bool shown);
    bool isShown() const { return m_isShown; }
    /// While people measure, handles are drawn but can't be dragged; a click near a line of the section takes
    /// a point of it, which is marked before.
    void setMeasuring(bool measuring);
    /// The point that the next one is measured from, file's frame; none while it is the first.
    void setMeasuredFrom(const std::optional<Vec3d>& point);
    /// Whether marks() follow the cursor.
    bool wantsHover() const { return m_isShown || (m_isMeasuring && hasLines()); }
    /// The recipe as people have it, and the last results.
    void setRecipe(const Recipe& requested, const SnapshotPtr& results);
    /// The unit of the coordinates, for the values of what is dragged.
    void setUnit(LengthUnit unit) { m_unit = unit; }
    /// Outlines, handles, the lines of the section, and the values of what is dragged.
    std::vector<SceneMark> marks() const;

    bool hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    bool grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drop(bool isKept) override;
    std::optional<Vec3d> snap(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;

signals:
    void edited(const scanloupe::Recipe& recipe);
    /// marks() has changed.
    void changed();

private:
    enum class Part { range, section };
    struct Held {
        Part part;
        BoxHandle handle;
        bool operator==(const Held&) const = default;
    };
    /// The requested recipe with the values that the data gave.
    Recipe shownRecipe() const;
    HandleBox boxOf(Part part) const;
    BoxHandles handlesOf(Part part) const;
    std::optional<Held> under(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) const;
    /// The recipe of a box that was dragged.
    Recipe recipeOf(const Held& held, const DraggedBox& box) const;
    bool hasLines() const { return m_results && m_results->section && m_requested.section; }
    std::vector<SceneMark> sectionLines() const;
    SceneMark snapMark() const;
    SceneMark valueMark(const Held& held) const;

    bool m_isShown = false, m_isMeasuring = false;
    LengthUnit m_unit = LengthUnit::metre;
    Recipe m_requested;
    SnapshotPtr m_results;
    std::optional<Held> m_hovered, m_held;
    std::optional<Vec3d> m_measuredFrom;
    std::optional<SnappedPoint> m_snapped; ///< under the cursor, while people measure
    HandleBox m_grabbed;                   ///< when the drag began
    Recipe m_before;                       ///< requested when the drag began
    Recipe m_beforeShown;                  ///< with values of the data
    QPointF m_offset;                      ///< from the handle to the cursor, pixels
};

} // namespace scanloupe::gui
