#pragma once
#include "engine/pipeline/pipeline.h"
#include "gui/models/property_model.h"

namespace scanloupe::gui {

/// What the mesh of these results is worth: its own counts, and `figures`, which may be those of the mesh
/// before it while the new ones are measured. Null: the counts alone.
Properties qualityProperties(const Snapshot& snapshot, const MeshQuality* figures);

} // namespace scanloupe::gui
