#pragma once
// Declares the mouse and keyboard navigation that all views share.
#include "gui/views/linked_camera.h"
#include "gui/views/scan_view.h"
#include "gui/views/scene_handles.h"
#include "gui/views/view_tool.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace scanloupe::gui {

/// A mouse or keyboard gesture and its effect in a view.
struct NavigationGesture {
    QString gesture, effect;
};
/// The gestures of ViewNavigation that are not menu entries.
QList<NavigationGesture> navigationGestures();

/// A left drag orbits about the point under the cursor; a middle, right, or Shift and left drag pans it; the
/// wheel zooms to it. A click picks, a right one requests a menu. Keys: those of ViewCommand; Home fits as F
/// does, arrows orbit.
class ViewNavigation : public QObject {
    Q_OBJECT
public:
    /// Filters the events of view.widget(), whose child it becomes.
    ViewNavigation(ScanView& view, LinkedCamera& camera);
    /// Lets a left drag move handles. @param handles lives as long as this, or is null
    void setHandles(SceneHandles* handles) { m_handles = handles; }
    /// Lets a left drag control a tool while it is active. @param tool lives as long as this, or is null
    void setTool(ViewTool* tool) { m_tool = tool; }

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void nothingPicked();
    /// The primitive under the cursor can't be picked.
    void failed(const QString& sentence, const QString& nextStep);
    void doubleClicked();
    /// The cursor has moved over the view without a button, or, without a position, has left it. Emitted by
    /// views that track the mouse.
    void hovered(std::optional<QPointF> pixel);
    /// A right click without a drag, or the menu key. @param at on the screen @param hit under the cursor
    void menuRequested(QPoint at, const std::optional<scanloupe::gui::Hit>& hit);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { none, orbit, pan, handle, tool };
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void dropHandle(bool isKept);
    bool hasTool() const { return m_tool && m_tool->isActive(); }
    ToolEvent toolEvent(QPointF pixel, Qt::KeyboardModifiers modifiers);
    /// Sets the cursor according to the handle under it.
    void showHover(QPointF pixel);
    void wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    void orbitTarget(QPointF pixels);
    void requestMenu(QPointF pixel);
    std::optional<Hit> pick(QPointF pixel);
    Vec3d pointUnder(QPointF pixel);
    QSizeF viewport() const;
    double aspect() const;

    ScanView& m_view;
    LinkedCamera& m_camera;
    SceneHandles* m_handles = nullptr;
    ViewTool* m_tool = nullptr;
    bool m_isOverHandle = false;
    Drag m_drag = Drag::none;
    bool m_dragged = false;
    Qt::MouseButton m_button = Qt::NoButton; ///< the button of the current drag
    QPointF m_pressed, m_last;
    double m_pressure = 1; ///< pressure of the pen that sends the mouse events; 1 without a pen
    Vec3d m_anchor;
    QTimer m_wheelRest; ///< active while the wheel turns, which keeps the anchor
    QPointF m_wheelAt;
};

} // namespace scanloupe::gui
