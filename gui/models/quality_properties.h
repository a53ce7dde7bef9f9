#pragma once
// Declares the quality metrics of a mesh as name-value pairs.
#include "engine/pipeline/pipeline.h"
#include "gui/models/property_model.h"

namespace scanloupe::gui {

/// Quality of the mesh of these results: its own counts, and `figures`, which may be those of the previous
/// mesh while the new ones are computed. Null: the counts alone. @param unit of the coordinates
Properties qualityProperties(const Snapshot& snapshot, const MeshQuality* figures, LengthUnit unit);

} // namespace scanloupe::gui
