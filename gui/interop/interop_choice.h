#pragma once
// Which way results on the device take to OpenGL, decided once, before the first of them.
#include <QString>

namespace scanloupe::gui {

/// Whether CUDA may write into OpenGL; where not, all is copied. $SCANLOUPE_INTEROP = off, or the program's
/// option --interop off.
bool isInteropEnabled();
void setInteropEnabled(bool enabled);

/// Why results on the device have to go through host memory: sentences; empty where they need not. The first
/// call tries it out, see probeInterop(), and the answer stays; with software OpenGL there is nothing to try.
/// @note GUI thread. Ask before a frame, not amid one.
QString interopProblem();

} // namespace scanloupe::gui
