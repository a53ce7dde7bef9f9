#pragma once
// Declares the window's program: its command line, and the window that it opens.

namespace scanloupe::gui {

/// Opens the window, and returns when it is closed. @returns the exit code: 0 on success, 1 after an internal
/// error, 2 after an error that the user can fix
int runWindow(int argc, char** argv);

} // namespace scanloupe::gui
