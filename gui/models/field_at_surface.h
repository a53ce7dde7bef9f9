#pragma once
// Declares how the values of a field change at its surface, for brushes that change it.
#include "engine/results/snapshot.h"

namespace scanloupe::gui {

struct FieldAtSurface {
    double level = 0;
    double slope = 1; ///< per metre inwards, not 0
};

/// Of results with a field. A distance changes by its own length. Other values are let change by half of what
/// is left to their ends over a cell, so that the surface lies between nodes as exactly as a brush says.
FieldAtSurface fieldAtSurface(const Snapshot& shown);

} // namespace scanloupe::gui
