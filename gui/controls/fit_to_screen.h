#pragma once
// Sizes windows by their screen.
#include <QScreen>
#include <QWidget>

namespace scanloupe::gui {

/// Gives a window a size, or as much of it as its screen has beside the frame and the bars of the desktop.
inline void resizeOnScreen(QWidget* window, QSize size) {
    constexpr double kUsable = 0.94;
    window->resize(size.boundedTo(window->screen()->availableSize() * kUsable));
}

} // namespace scanloupe::gui
