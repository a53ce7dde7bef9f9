// Limits how often a panel repeats its layout.
#include "gui/controls/pace.h"

#include <algorithm>

namespace scanloupe::gui {

namespace {
constexpr int kLeastMs = 100; // minimum time between two updates
}

Pace::Pace(std::function<void()> show, QObject* parent) : QObject(parent), m_show(std::move(show)) {
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &Pace::show);
}

void Pace::request() {
    if (m_later.isActive())
        return;
    if (!m_sinceLast.isValid() || m_sinceLast.hasExpired(kLeastMs))
        return show();
    m_later.start(int(std::max<qint64>(0, kLeastMs - m_sinceLast.elapsed())));
}

void Pace::flush() {
    if (m_later.isActive())
        show();
}

void Pace::show() {
    m_later.stop();
    m_sinceLast.start();
    m_show();
}

} // namespace scanloupe::gui
