#pragma once
// Declares the menu of the undo history.
#include "gui/controllers/window_context.h"

namespace scanloupe::gui {

class EditController;

/// Adds undo, redo, and the steps of the work to a menu. `window` and `edit` must outlive the menu.
void buildHistoryMenu(const WindowContext& window, EditController& edit, QMenu* menu);

} // namespace scanloupe::gui
