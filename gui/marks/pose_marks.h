#pragma once
// Declares how the views draw the uncertainties of an alignment: directions in which a scan may slide, and
// other poses at which it fits.
#include "engine/align/scan_aligner.h"
#include "engine/cloud/reference/length_unit.h"
#include "gui/views/surface/scene_marks.h"

#include <span>
#include <vector>

namespace scanloupe::gui {

/// The marks of the uncertainties that the verdict on a pose names: an arrow for each weak direction, through
/// the scan's middle and as long as the scan may slide, or the arc by which it may turn; or the scan's points
/// at each alternative. None where the verdict names neither. In the target frame of the poses.
/// @param sample some points of the scan, in its full coordinates, metres
/// @param unit of the coordinates, for the texts
std::vector<SceneMark> poseMarks(const ScanAlignment& alignment, std::span<const Vec3d> sample,
                                 LengthUnit unit);

} // namespace scanloupe::gui
