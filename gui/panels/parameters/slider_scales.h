#pragma once
// Declares the scales of sliders: the part of a parameter's limits that is useful for the data.
#include "engine/cloud/point_cloud.h"
#include "engine/histograms/scan_histograms.h"
#include "engine/pipeline/pipeline.h"
#include "engine/recipe/parameters.h"
#include "gui/controls/value_scale.h"

namespace scanloupe::gui {

/// Scale of a parameter of one number, or of a voxel's edge. `snapshot` may be null: the scale then spans the
/// limits, or a part of them.
ValueScale sliderScale(const Parameter& parameter, const Snapshot* snapshot);
/// Extent of the range's sliders: that of the histograms, or while there are none the scan's bounds with a
/// margin, extended to the range where that exceeds it. Far outliers are not in the histograms: the sliders
/// would be useless with them.
Bounds rangeSpan(const Snapshot& snapshot, const ScanHistograms& histograms);

} // namespace scanloupe::gui
