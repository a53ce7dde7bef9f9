#pragma once
// Declares the part of a view that shows the picture of another run, and its divider.
#include "engine/cloud/reference/length_unit.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/surface/gl_surface.h"

#include <QImage>
#include <QPointer>
#include <QWidget>
#include <functional>

namespace scanloupe::gui {

/// Lies over a view, ignores mouse events, and paints the picture of another run, A, to the left of a
/// divider, with the view's overlay over it. The divider, a child of the view, can be dragged, or moved with
/// arrow keys when it has the focus. A picture on the device is copied to the host on a worker.
class ComparePane : public QWidget {
    Q_OBJECT
public:
    /// @param overlay returns the overlay of the whole view
    ComparePane(std::function<Overlay()> overlay, QWidget* view);
    ~ComparePane() override;

    /// Shows the picture of A, scaled to the view until a picture of its size arrives.
    void setSnapshot(const SnapshotPtr& a);
    /// Sets the unit of the coordinates, for the legend.
    void setUnit(LengthUnit unit);
    /// The run whose picture is shown; null before the first.
    const SnapshotPtr& snapshot() const { return m_shown; }
    /// Whether A's picture is shown at a pixel of the view.
    bool isOfA(QPointF pixel) const { return m_shown && pixel.x() < dividerAt(); }

    /// The divider, between A and B.
    QWidget* divider() const { return m_divider; }
    double dividerAt() const; ///< pixels from the left edge
    void moveDivider(double x);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void showPicture(const SnapshotPtr& a);
    void placeDivider();

    std::function<Overlay()> m_overlay;
    QPointer<QWidget> m_divider; ///< the view may delete it first
    double m_share = 0.5;        ///< share of the width that A has
    SnapshotPtr m_wanted, m_shown;
    LengthUnit m_unit = LengthUnit::metre;
    QImage m_image; ///< wraps the picture of m_shown
    BackgroundWorker<SnapshotPtr> m_copier;
};

} // namespace scanloupe::gui
