#pragma once
// Schedules the drawing of all views on the GUI thread: one time slice each, round robin, returning to the
// event loop after slow slices.
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

    /// Queues one slice of `canvas` after the waiting ones. Very short slices share a round of the event
    /// loop.
    void request(GlCanvas& canvas);

private:
    void next();

    std::deque<QPointer<GlCanvas>> m_waiting;
    QTimer m_timer;
};

} // namespace scanloupe::gui
