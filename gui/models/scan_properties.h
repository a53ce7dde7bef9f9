#pragma once
#include "engine/pipeline/pipeline.h"
#include "gui/models/property_model.h"

namespace scanloupe::gui {

/// What is known of the cloud or the volume of these results.
Properties scanProperties(const Snapshot& snapshot);
/// The counts of all stages of a run, each once, as the last stage tells it.
Properties countProperties(const RunTimings& timings);
/// The file's name, or what a generated scan is called.
QString scanName(const Snapshot& snapshot);

} // namespace scanloupe::gui
