#pragma once
// Declares a limit on how often a panel repeats its layout.
#include <QElapsedTimer>
#include <QTimer>
#include <functional>

namespace scanloupe::gui {

/// Shows a change at once, but at most ten times a second: results arrive more often while a slider moves,
/// and texts that change faster than they can be read would cost time that pictures need. The last change is
/// always shown.
class Pace : public QObject {
public:
    /// @param show is called for all changes since the last call
    explicit Pace(std::function<void()> show, QObject* parent = nullptr);

    /// Requests an update after a change.
    void request();
    /// Shows pending changes now.
    void flush();

private:
    void show();

    std::function<void()> m_show;
    QTimer m_later;
    QElapsedTimer m_sinceLast;
};

} // namespace scanloupe::gui
