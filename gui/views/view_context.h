#pragma once
// Declares the objects that the views of a window share.
#include "gui/interop/interop_choice.h"
#include "gui/views/draw_scheduler.h"
#include "gui/views/linked_camera.h"

namespace scanloupe::gui {

/// The objects that the views of a window share. Its owner keeps it as long as the views receive events.
struct ViewContext {
    LinkedCamera& camera;
    DrawScheduler& scheduler;
    InteropChoice& interop;
};

} // namespace scanloupe::gui
