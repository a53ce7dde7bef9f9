#pragma once
// Declares the words for verdicts on alignments.
#include "engine/align/align_scans.h"
#include "engine/cloud/reference/length_unit.h"

#include <QString>

namespace scanloupe::gui {

/// "right (99 %)", "doubtful (42 %)", "fixed" for the first scan, or "no pose".
QString poseVerdictWord(const AlignedScan& scan);
/// The rating followed by the strongest reason against the pose and the next step.
QString poseVerdictText(const AlignedScan& scan, LengthUnit unit);
/// "may slide by 35.00 m or more", or "may turn by 20° or more".
QString weakDirectionText(const WeakDirection& weak, LengthUnit unit);
/// "also fits 4.00 m along x", or "also fits turned by 180°, 1.27 m away".
QString alternativeText(const PoseRival& rival, LengthUnit unit);

} // namespace scanloupe::gui
