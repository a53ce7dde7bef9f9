#pragma once
// Declares the tool that makes measures from clicks.
#include "engine/measure/measure.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/scan_view.h"

#include <QObject>
#include <deque>
#include <optional>

namespace scanloupe::gui {

/// Collects the points of one measure after the other. A point is shown where it was hit at once, and moves
/// to the scan's point that a worker finds there.
class MeasureTool : public QObject {
    Q_OBJECT
public:
    explicit MeasureTool(QObject* parent = nullptr);

    /// What is being measured; none while the tool is off.
    std::optional<MeasureKind> kind() const { return m_kind; }
    /// Switches the tool on, to another kind, or off; drops the measure that is being made.
    void setKind(std::optional<MeasureKind> kind);
    /// The measure that is being made, without name and colour; none before its first point.
    std::optional<Measure> draft() const;
    /// Whether draft() takes no more points, and waits for the scan's points.
    bool isClosed() const { return !m_drafts.empty() && m_drafts.back().isClosed; }

    /// Adds the point of a hit; the last one that its kind takes ends the measure.
    void add(const Hit& hit);
    /// Ends a polygon; others end by themselves. False if it has too few points.
    bool finish();
    /// Removes the last point.
    void removeLast();
    /// Drops the measure that is being made; without one, switches the tool off.
    void cancel();
    /// Drops all points that have not become a measure, as when another scan is opened.
    void drop();

signals:
    void kindChanged();
    void draftChanged();
    /// A measure is complete; it has no name and no colour yet.
    void finished(const scanloupe::Measure& measure);

private:
    struct Point {
        MeasurePoint point;
        Hit hit;
        int number = 0;         ///< of the click
        bool isSnapped = false; ///< the worker has answered
    };
    struct Draft {
        MeasureKind kind;
        std::vector<Point> points = {};
        bool isClosed = false; ///< takes no more points
    };
    struct Snapped {
        int number = 0;
        std::optional<MeasurePoint> point = {}; ///< none: it stays where it was hit
    };
    static Measure measureOf(const Draft& draft);
    /// The draft that takes points; null if there is none.
    Draft* open();
    /// Has the worker snap the next point that waits for it.
    void snapNext();
    void onSnapped(const Snapped& snapped);
    /// Hands out the drafts that are closed and snapped, in their order.
    void emitFinished();

    std::optional<MeasureKind> m_kind;
    std::deque<Draft> m_drafts; ///< closed ones that wait for the worker, then the open one
    int m_clicks = 0;
    int m_snapping = 0; ///< number of the click that the worker has; 0: none
    BackgroundWorker<Snapped> m_worker;
};

} // namespace scanloupe::gui
