#pragma once
// Declares what an inspection draws over the scan.
#include "engine/inspect/inspection.h"
#include "gui/views/surface/scene_marks.h"

#include <vector>

namespace scanloupe::gui {

/// Lines from the points that the inspection chose, along their deviations: those above the tolerance, those
/// below it, and those within, in the colours of the tolerance. @param times their lengths are drawn so many
/// times as long
std::vector<SceneMark> whiskerMarks(const Inspection& inspection, double times);
/// The lines in which the section cuts the reference; none without.
std::vector<SceneMark> referenceSectionMarks(const Inspection& inspection);

} // namespace scanloupe::gui
