#pragma once
// Declares the window's program: its command line, and the window that it opens.

namespace scanloupe::gui {

/// Opens the window, and returns when it is closed. @returns the exit code: 0; 1 after a fault; 2 after what
/// the user can change
int runWindow(int argc, char** argv);

} // namespace scanloupe::gui
