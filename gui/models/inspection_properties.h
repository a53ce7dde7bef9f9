#pragma once
// Declares the figures of an inspection as name-value pairs.
#include "engine/inspect/inspection.h"
#include "engine/reference/length_unit.h"
#include "gui/models/property_model.h"

namespace scanloupe::gui {

Properties inspectionProperties(const Inspection& inspection, LengthUnit unit);
/// What is known of the reference: its file and its triangles, a sentence for each thing that is wrong with
/// it.
QString referenceText(const Inspection& inspection);

} // namespace scanloupe::gui
