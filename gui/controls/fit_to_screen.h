#pragma once
// Sizes windows by their screen.
#include <QScreen>
#include <QWidget>

namespace scanloupe::gui {

/// Resizes a window, limited to the part of its screen that the window frame and the bars of the desktop
/// leave.
inline void resizeOnScreen(QWidget* window, QSize size) {
    constexpr double kUsable = 0.94;
    window->resize(size.boundedTo(window->screen()->availableSize() * kUsable));
}

} // namespace scanloupe::gui
