#pragma once
// Declares the properties of a scan and the counts of a run as name-value pairs.
#include "engine/cloud/reference/length_unit.h"
#include "gui/models/property_model.h"

namespace scanloupe {
struct RunTimings;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// Properties of the cloud or the volume of these results. @param unit of the coordinates
Properties scanProperties(const Snapshot& snapshot, LengthUnit unit);
/// Counts of all stages of a run, each once, with the value of the last stage that reports it.
Properties countProperties(const RunTimings& timings);
/// The file's name, or the name of a generated or merged scan.
QString scanName(const Snapshot& snapshot);

} // namespace scanloupe::gui
