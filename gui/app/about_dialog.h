#pragma once
class QWidget;

namespace scanloupe {
struct BackendChoice;
}

namespace scanloupe::gui {

/// Version, what runs (CPU or GPU) and how OpenGL is drawn. Blocks until it is closed.
void showAbout(const BackendChoice& backend, QWidget* parent);

} // namespace scanloupe::gui
