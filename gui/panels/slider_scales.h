#pragma once
// What sliders span: the part of a parameter's limits that makes sense for the data.
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/parameters.h"
#include "engine/pipeline/pipeline.h"
#include "gui/panels/value_scale.h"

namespace scanloupe::gui {

/// A scale for a parameter of one number, or for a voxel's edge. `snapshot` may be null: then the limits, or
/// a part of them, span it.
ValueScale sliderScale(const Parameter& parameter, const Snapshot* snapshot);
/// What the range's sliders span: the scan's bounds with a rim, and whatever the range reaches beyond them.
Bounds rangeSpan(const Snapshot& snapshot);

} // namespace scanloupe::gui
