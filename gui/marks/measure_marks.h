#pragma once
// Declares how measures are drawn in the views.
#include "engine/inspect/measure/measure.h"
#include "gui/views/surface/scene_marks.h"

namespace scanloupe::gui {

/// The mark of a measure, or of an unfinished one. @param up unit vector of the up axis; @param unit of the
/// coordinates
SceneMark markOf(const Measure& measure, Vec3d up, LengthUnit unit);
/// The mark of a picked point.
SceneMark pickMark(Vec3d position);

} // namespace scanloupe::gui
