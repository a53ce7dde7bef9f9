#pragma once
// Declares the tool that creates measures from clicks.
#include "engine/inspect/measure/measure.h"
#include "gui/jobs/background_worker.h"
#include "gui/views/scan_view.h"

#include <QObject>
#include <deque>
#include <optional>

namespace scanloupe::gui {

/// Collects the points of measures. A point is shown immediately where it was hit, and moves to the scan's
/// point that a worker finds there.
class MeasureTool : public QObject {
    Q_OBJECT
public:
    explicit MeasureTool(QObject* parent = nullptr);

    /// The kind of measure that the tool makes; none while it is off.
    std::optional<MeasureKind> kind() const { return m_kind; }
    /// Switches the tool on, to another kind, or off; drops the unfinished measure.
    void setKind(std::optional<MeasureKind> kind);
    /// The unfinished measure, without name and colour; none before its first point.
    std::optional<Measure> draft() const;
    /// Whether draft() is full, and waits for the scan's points.
    bool isClosed() const { return !m_drafts.empty() && m_drafts.back().isClosed; }

    /// Adds the point of a hit; the last point of its kind completes the measure.
    void add(const Hit& hit);
    /// Completes a polygon; other kinds complete themselves. False if it has too few points.
    bool finish();
    /// Removes the last point.
    void removeLast();
    /// Drops the unfinished measure; without one, switches the tool off.
    void cancel();
    /// Drops all points of unfinished measures, as when another scan is opened.
    void drop();

signals:
    void kindChanged();
    void draftChanged();
    /// Emitted with a complete measure, which has no name and no colour yet.
    void finished(const scanloupe::Measure& measure);

private:
    struct Point {
        MeasurePoint point;
        Hit hit;
        int number = 0;         ///< number of the click
        bool isSnapped = false; ///< whether the worker has answered
    };
    struct Draft {
        MeasureKind kind;
        std::vector<Point> points = {};
        bool isClosed = false; ///< no more points are added
    };
    struct Snapped {
        int number = 0;
        std::optional<MeasurePoint> point = {}; ///< none: the point stays where it was hit
    };
    static Measure measureOf(const Draft& draft);
    /// The draft that accepts points; null if there is none.
    Draft* open();
    /// Starts the worker on the next point that waits for it.
    void snapNext();
    void onSnapped(const Snapped& snapped);
    /// Emits the drafts that are closed and snapped, in their order.
    void emitFinished();

    std::optional<MeasureKind> m_kind;
    std::deque<Draft> m_drafts; ///< closed ones that wait for the worker, then the open one
    int m_clicks = 0;
    int m_snapping = 0; ///< number of the click that the worker handles; 0: none
    BackgroundWorker<Snapped> m_worker;
};

} // namespace scanloupe::gui
