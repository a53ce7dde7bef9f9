#pragma once
// Declares how the values of a field change at its surface, for brushes that change it.

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

struct FieldAtSurface {
    double level = 0;
    double slope = 1; ///< per metre inwards, not 0
};

/// For results with a field. The slope of a distance is 1. Of other values, half of the remaining range spans
/// one cell, so that the surface lies between nodes as exactly as a brush sets it.
FieldAtSurface fieldAtSurface(const Snapshot& shown);

} // namespace scanloupe::gui
