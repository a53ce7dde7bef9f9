#pragma once
// Lets the views draw one after the other, with the event loop in between where that takes time.
#include <QObject>
#include <QTimer>
#include <deque>

namespace scanloupe::gui {

class GlCanvas;

/// Turns of all canvases of the GUI thread. Timers of their own would go off in one round of the event loop,
/// and what people do would wait for the sum of their turns.
class DrawTurns : public QObject {
    Q_OBJECT
public:
    /// Belongs to the application.
    static DrawTurns& shared();

    /// Lets `canvas` work once, after those that wait already; soon, or in the same turn of the event loop
    /// where they take next to no time.
    void request(GlCanvas& canvas);
    void forget(GlCanvas& canvas);

private:
    explicit DrawTurns(QObject* parent);
    void next();

    std::deque<GlCanvas*> m_waiting;
    QTimer m_timer;
};

} // namespace scanloupe::gui
