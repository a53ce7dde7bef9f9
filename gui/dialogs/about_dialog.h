#pragma once
// Declares the About dialog.
class QWidget;

namespace scanloupe {
struct BackendChoice;
}

namespace scanloupe::gui {

/// Shows the version, the backend (CPU or GPU) and the OpenGL renderer. Blocks until it is closed.
void showAbout(const BackendChoice& backend, QWidget* parent);

} // namespace scanloupe::gui
