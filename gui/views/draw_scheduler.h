#pragma once
// Schedules the drawing of all views on the GUI thread: one time slice each, round robin, and back to the
// event loop where a slice takes time.
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <deque>

namespace scanloupe::gui {

class GlCanvas;

/// Round-robin scheduler of all canvases of a window. With a timer for each canvas, all timers would
/// fire in one round of the event loop, and user input would wait for the sum of all slices.
class DrawScheduler : public QObject {
    Q_OBJECT
public:
    explicit DrawScheduler(QObject* parent = nullptr);

    /// Queues one slice of `canvas` behind those that wait already. Slices that take next to no time share a
    /// round of the event loop.
    void request(GlCanvas& canvas);

private:
    void next();

    std::deque<QPointer<GlCanvas>> m_waiting;
    QTimer m_timer;
};

} // namespace scanloupe::gui
