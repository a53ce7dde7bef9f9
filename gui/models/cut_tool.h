#pragma once
// Declares the tool that cuts scans in the views: the range as a box, and the section as a slab, with
// handles.
#include "gui/base/snapshot_ptr.h"
#include "gui/models/box_handles.h"
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
    /// While something else is done by clicks, handles are drawn but can't be dragged.
    void setEnabled(bool enabled);
    /// The recipe as people have it, and the last results.
    void setRecipe(const Recipe& requested, const SnapshotPtr& results);
    /// Outlines, handles, the lines of the section, and the values of what is dragged.
    std::vector<SceneMark> marks() const;

    bool hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    bool grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) override;
    void drop(bool isKept) override;

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
    std::vector<SceneMark> sectionLines() const;
    SceneMark valueMark(const Held& held) const;

    bool m_isShown = false, m_isEnabled = true;
    Recipe m_requested;
    SnapshotPtr m_results;
    std::optional<Held> m_hovered, m_held;
    HandleBox m_grabbed;  ///< when the drag began
    Recipe m_before;      ///< requested when the drag began
    Recipe m_beforeShown; ///< with values of the data
    QPointF m_offset;     ///< from the handle to the cursor, pixels
};

} // namespace scanloupe::gui
