// Draws the waiting canvases round robin, a time slice each.
#include "gui/views/draw_scheduler.h"

#include "gui/views/gl_canvas.h"
#include "kernels/core/cost.h"

#include <algorithm>

namespace scanloupe::gui {

DrawScheduler::DrawScheduler(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &DrawScheduler::next);
}

void DrawScheduler::request(GlCanvas& canvas) {
    if (std::find(m_waiting.begin(), m_waiting.end(), &canvas) == m_waiting.end())
        m_waiting.push_back(&canvas);
    if (!m_timer.isActive())
        m_timer.start();
}

void DrawScheduler::next() {
    // ms; short slices, as on a GPU, share a round of the event loop, so that the window is composited once
    // for all
    constexpr double kTogetherMs = 8;
    for (const WallTimer timer; !m_waiting.empty() && timer.elapsedMs() < kTogetherMs;) {
        const QPointer<GlCanvas> canvas = m_waiting.front();
        m_waiting.pop_front();
        if (canvas) // null if the canvas was destroyed while it waited
            canvas->drawSlice();
    }
    if (!m_waiting.empty())
        m_timer.start();
}

} // namespace scanloupe::gui
