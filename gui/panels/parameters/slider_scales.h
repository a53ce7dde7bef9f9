#pragma once
// Declares the scales of sliders: the part of a parameter's limits that is useful for the data.
#include "engine/picture/histograms/scan_histograms.h"
#include "gui/sliders/value_scale.h"

namespace scanloupe {
struct Bounds;
struct Parameter;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// Returns the scale of the slider for a parameter with a single number, or for the edge length of voxels.
/// @param snapshot null: the scale does not depend on data
ValueScale sliderScale(const Parameter& parameter, const Snapshot* snapshot);
/// Extent of the range's sliders: that of the histograms, or without histograms the scan's bounds with a
/// margin, extended to the range if that exceeds it. Far outliers are not in the histograms, since they would
/// make the sliders useless.
Bounds rangeSpan(const Snapshot& snapshot, const ScanHistograms& histograms);

} // namespace scanloupe::gui
