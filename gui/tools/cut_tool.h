#pragma once
// Declares the tool that cuts scans in the views: the range as a box, and the section as a slab, with
// handles.
#include "engine/cloud/reference/length_unit.h"
#include "engine/recipe/stored_recipe.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/tools/box_handles.h"
#include "gui/tools/section_snap.h"
#include "gui/views/scene_handles.h"

#include <QObject>
#include <optional>

namespace scanloupe::gui {

/// The range and the section in the views. Each drag step changes the recipe immediately.
class CutTool : public QObject, public SceneHandles {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Shows the box of the range, and the planes of the section, with their handles.
    void setShown(bool shown);
    bool isShown() const { return m_isShown; }
    /// During a measurement, handles are drawn but can't be dragged; a click near a line of the section snaps
    /// to a point of it, which is marked on hover.
    void setMeasuring(bool measuring);
    /// Sets the point that the next one is measured from, file's frame; none before the first.
    void setMeasuredFrom(const std::optional<Vec3d>& point);
    /// Whether marks() follow the cursor.
    bool wantsHover() const { return m_isShown || (m_isMeasuring && hasLines()); }
    /// Sets the user's recipe and the last results.
    void setRecipe(const Recipe& requested, const SnapshotPtr& results);
    /// Sets the unit of the coordinates, for the values displayed while dragging.
    void setUnit(LengthUnit unit) { m_unit = unit; }
    /// Outlines, handles, the lines of the section, and the values displayed while dragging.
    std::vector<SceneMark> marks() const;

    bool hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    bool grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drop(bool isKept) override;
    std::optional<Vec3d> snap(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;

signals:
    void edited(const scanloupe::Recipe& recipe);
    /// Emitted when marks() has changed.
    void changed();

private:
    enum class Part { range, section };
    struct Held {
        Part part;
        BoxHandle handle;
        bool operator==(const Held&) const = default;
    };
    /// The requested recipe with the automatic values filled in from the data.
    Recipe shownRecipe() const;
    HandleBox boxOf(Part part) const;
    BoxHandles handlesOf(Part part) const;
    std::optional<Held> under(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) const;
    /// The recipe after a box was dragged.
    Recipe recipeOf(const Held& held, const DraggedBox& box) const;
    bool hasLines() const;
    std::vector<SceneMark> sectionLines() const;
    SceneMark snapMark() const;
    SceneMark valueMark(const Held& held) const;

    bool m_isShown = false, m_isMeasuring = false;
    LengthUnit m_unit = LengthUnit::metre;
    StoredRecipe m_requested;
    SnapshotPtr m_results;
    std::optional<Held> m_hovered, m_held;
    std::optional<Vec3d> m_measuredFrom;
    std::optional<SnappedPoint> m_snapped; ///< the point under the cursor during a measurement
    HandleBox m_grabbed;                   ///< the box when the drag began
    StoredRecipe m_before;                 ///< the requested recipe when the drag began
    StoredRecipe m_beforeShown;            ///< the same with automatic values filled in
    QPointF m_offset;                      ///< offset from the handle to the cursor, pixels
};

} // namespace scanloupe::gui
