#pragma once
// Declares the figures of an inspection as name-value pairs.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/inspection.h"
#include "gui/models/property_model.h"

namespace scanloupe::gui {

Properties inspectionProperties(const Inspection& inspection, LengthUnit unit);
/// A description of the reference: its file and its triangles, and a sentence for each defect.
QString referenceText(const Inspection& inspection);

} // namespace scanloupe::gui
