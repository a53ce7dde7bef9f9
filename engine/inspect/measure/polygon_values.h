#pragma once
// Declares the values of a polygon in space.
#include "engine/inspect/measure/measure.h"

namespace scanloupe {

/// Sets area, perimeter, deviation and edgesCross. @param corners at least three, relative to a point close
/// to them
void addPolygon(MeasureValues& values, const std::vector<Vec3d>& corners);

} // namespace scanloupe
