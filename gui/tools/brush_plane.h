#pragma once
// Declares the plane of the surface under a brush.
#include "gui/views/view_tool.h"

#include <optional>

namespace scanloupe::gui {

/// A plane that a brush works towards; its unit normal points to the viewer. File's frame.
struct BrushPlane {
    Vec3d at, normal;
};

/// The plane of the surface within some pixels around a pixel. Outliers, such as the ground of a hole, are
/// excluded. None without points there.
std::optional<BrushPlane> planeAround(const ToolEvent& event, double pixels);

} // namespace scanloupe::gui
