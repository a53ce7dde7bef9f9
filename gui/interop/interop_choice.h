#pragma once
// Declares how device results reach OpenGL: by CUDA/OpenGL interoperability or through host memory. Decided
// once, before the first result.
#include <QString>

namespace scanloupe::gui {

/// Whether CUDA/OpenGL interoperability is enabled; otherwise everything is copied. Disabled by
/// SCANLOUPE_INTEROP=off in the environment, or by the program's option --interop off.
bool isInteropEnabled();
void setInteropEnabled(bool enabled);

/// Why device results must go through host memory, in sentences; empty if they need not. The first call runs
/// probeInterop(), and its answer is kept; with software OpenGL nothing is probed. @note GUI thread. Call it
/// before a frame, not within one.
QString interopProblem();

} // namespace scanloupe::gui
