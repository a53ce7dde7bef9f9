#pragma once
// Declares the values of a polygon in space.
#include "engine/measure/measure.h"

namespace scanloupe {

/// Sets area, perimeter, deviation and edgesCross. @param corners three or more, near the origin
void addPolygon(MeasureValues& values, const std::vector<Vec3d>& corners);

} // namespace scanloupe
