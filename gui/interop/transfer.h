#pragma once
// Declares how the content of a view reached the screen, and how long that took.
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
        interop, ///< CUDA has written the buffers or the texture that OpenGL draws
    };
    Path path = Path::none;
    quint64 bytesToHost = 0; ///< copied from the device for it
    double waitedMs = 0;     ///< time from the completion of the result until the GUI thread received it
    double copyMs = 0;       ///< time to build and upload the OpenGL data
    double presentedMs = 0;  ///< time from the completion of the result until it was on the screen
    QString why;             ///< why device data was copied to the host
};

/// Transfers of the three views.
struct Transfers {
    Transfer voxels, mesh, picture;
};

/// Milliseconds since `then`; 0 when it is not set.
double millisecondsSince(std::chrono::steady_clock::time_point then);

/// Summary for the status bar: the slowest path, and the bytes of all views.
QString transferText(const Transfers& transfers);
/// One line for each view, with the reason for its path, for the tool tip.
QString transferDetails(const Transfers& transfers);

} // namespace scanloupe::gui
