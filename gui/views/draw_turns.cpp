#include "gui/views/draw_turns.h"

#include "gui/views/gl_canvas.h"
#include "kernels/core/cost.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>

namespace scanloupe::gui {

DrawTurns& DrawTurns::shared() {
    static QPointer<DrawTurns> turns;
    if (!turns)
        turns = new DrawTurns(QCoreApplication::instance());
    return *turns;
}

DrawTurns::DrawTurns(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &DrawTurns::next);
}

void DrawTurns::request(GlCanvas& canvas) {
    if (std::find(m_waiting.begin(), m_waiting.end(), &canvas) == m_waiting.end())
        m_waiting.push_back(&canvas);
    if (!m_timer.isActive())
        m_timer.start();
}

void DrawTurns::forget(GlCanvas& canvas) {
    std::erase(m_waiting, &canvas);
}

void DrawTurns::next() {
    // views that a GPU draws in no time share a turn, so that the window is put together once for all of them
    constexpr double kTogetherMs = 4;
    const WallTimer timer;
    for (std::size_t left = m_waiting.size(); left > 0 && !m_waiting.empty(); --left) {
        GlCanvas* canvas = m_waiting.front();
        m_waiting.pop_front();
        canvas->takeTurn();
        if (timer.elapsedMs() > kTogetherMs)
            break;
    }
    if (!m_waiting.empty())
        m_timer.start();
}

} // namespace scanloupe::gui
