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

/// Computes level and slope for results with a field. A distance has slope 1. For other fields, half of the
/// remaining range of values spans one cell, so that the surface gets the exact position that a brush sets.
FieldAtSurface fieldAtSurface(const Snapshot& shown);

} // namespace scanloupe::gui
