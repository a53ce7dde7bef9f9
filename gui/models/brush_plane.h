#pragma once
// Declares the plane of the surface under a brush.
#include "gui/views/view_tool.h"

#include <optional>

namespace scanloupe::gui {

/// A plane that a brush works towards; its unit normal leads to the viewer. File's frame.
struct BrushPlane {
    Vec3d at, normal;
};

/// The plane of the surface around a pixel, within some pixels of it; what lies far off it, as the ground of
/// a hole does, is left out. None where nothing lies.
std::optional<BrushPlane> planeAround(const ToolEvent& event, double pixels);

} // namespace scanloupe::gui
