#pragma once
// Declares the marks of an inspection over the scan.
#include "engine/inspect/inspection.h"
#include "gui/views/surface/scene_marks.h"

#include <vector>

namespace scanloupe::gui {

/// Lines from a sample of points along their deviations: those above the tolerance, those below it, and those
/// within, in the colours of the tolerance. @param times exaggeration of their lengths
std::vector<SceneMark> deviationLineMarks(const Inspection& inspection, double times);
/// The lines in which the section cuts the reference; empty without a section or a reference.
std::vector<SceneMark> referenceSectionMarks(const Inspection& inspection);

} // namespace scanloupe::gui
