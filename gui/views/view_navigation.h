#pragma once
// Mouse and keys of a view: the same in all of them.
#include "gui/views/linked_camera.h"
#include "gui/views/scan_view.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace scanloupe::gui {

/// Left drag turns about the point under the cursor, middle or shift and left drag moves it along, the wheel
/// zooms to it; a click picks, a double click asks for the whole window. Keys: those of
/// ViewCommand; Home fits as F does, arrows turn.
class ViewNavigation : public QObject {
    Q_OBJECT
public:
    /// Watches the events of view.widget(), whose child it becomes.
    ViewNavigation(ScanView& view, LinkedCamera& camera);

signals:
    void picked(const scanloupe::gui::Hit& hit);
    void nothingPicked();
    /// What lies under the cursor can't be told.
    void failed(const QString& sentence, const QString& nextStep);
    void fillRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { none, orbit, pan };
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    void orbitTarget(QPointF pixels);
    std::optional<Hit> pick(QPointF pixel);
    Vec3d pointUnder(QPointF pixel);
    QSizeF viewport() const;
    double aspect() const;

    ScanView& m_view;
    LinkedCamera& m_camera;
    Drag m_drag = Drag::none;
    bool m_dragged = false;
    QPointF m_pressed, m_last;
    Vec3d m_anchor;
    QTimer m_wheelRest; ///< runs while the wheel turns: then the anchor stays
    QPointF m_wheelAt;
};

} // namespace scanloupe::gui
