#pragma once
// Declares a limit of how often a panel is laid out anew.
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

namespace scanloupe::gui {

/// Shows what has changed at once, but at most ten times a second: results come more often while a slider
/// moves, and texts that nobody can read that fast would cost time that pictures need. What changed last is
/// always shown.
class Pace : public QObject {
public:
    /// @param show is called with all that has changed up to then
    explicit Pace(std::function<void()> show, QObject* parent = nullptr);

    /// Something has changed.
    void request();
    /// Shows now what waits.
    void flush();
    bool isWaiting() const { return m_later.isActive(); }

private:
    void show();

    std::function<void()> m_show;
    QTimer m_later;
    QElapsedTimer m_sinceLast;
};

} // namespace scanloupe::gui
