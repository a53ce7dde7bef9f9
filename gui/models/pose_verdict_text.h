#pragma once
// Declares the words for verdicts on alignments.
#include "engine/align/align_scans.h"
#include "engine/reference/length_unit.h"

#include <QString>

namespace scanloupe::gui {

/// "right (99 %)", "doubtful (42 %)", "stays" for the first scan, or "no pose".
QString poseVerdictWord(const AlignedScan& scan);
/// The same, what speaks most against the pose, and what to do about it.
QString poseVerdictText(const AlignedScan& scan, LengthUnit unit);

} // namespace scanloupe::gui
