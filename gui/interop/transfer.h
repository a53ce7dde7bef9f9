#pragma once
// How what a view shows came from where it was made to the screen.
#include <QString>
#include <QtGlobal>
#include <array>
#include <chrono>

namespace scanloupe::gui {

struct Transfer {
    enum class Path {
        none,    ///< nothing is shown yet
        painted, ///< without OpenGL, from host memory
        copied,  ///< through host memory
        interop, ///< CUDA has written what OpenGL draws from
    };
    Path path = Path::none;
    quint64 bytesToHost = 0; ///< that were copied from the device for it
    double waitedMs = 0;     ///< from when it was made to when the window's thread came to it
    double copyMs = 0;       ///< of bringing it to OpenGL, and of making what that draws from
    double presentedMs = 0;  ///< from when it was made to when the window showed it
    QString why;             ///< why something on the device was copied
};

/// What the three views show.
struct Transfers {
    Transfer voxels, mesh, picture;
};

/// Milliseconds from then to now; 0 where nobody knows when it was.
double millisecondsSince(std::chrono::steady_clock::time_point then);

/// In a few words, for the status bar: the slowest way, and the bytes of all.
QString transferText(const Transfers& transfers);
/// A line a view, and why, for the tool tip.
QString transferDetails(const Transfers& transfers);

} // namespace scanloupe::gui
