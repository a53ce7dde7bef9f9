#pragma once
// Declares the texts of measures: their kinds, values and changes.
#include "engine/inspect/measure/measure.h"

#include <QString>

namespace scanloupe::gui {

/// Display name of a kind of measure, such as "Distance".
QString kindText(MeasureKind kind);
/// The first value of a measure, "2.310 m", as the views label it; a point's name. @param up unit vector of
/// the up axis; @param unit of the coordinates
QString valueText(const Measure& measure, Vec3d up, LengthUnit unit);
/// All values of a measure in one line.
QString valuesText(const Measure& measure, Vec3d up, LengthUnit unit);
/// Text of what the points were snapped to: "scan points", "surface", "2 of 3 scan points".
QString snapText(const Measure& measure);
/// Coordinates of the points in the file's frame, a line for each.
QString pointsText(const Measure& measure);
/// How the second list differs from the first: "Distance 2.310 m added".
QString measureChangeText(const MeasureList& before, const MeasureList& after, Vec3d up, LengthUnit unit);
/// "Distance 3": a name that none of the measures has.
QString freeName(MeasureKind kind, const MeasureList& measures);
/// A colour, 0xRRGGBB, for the next measure: the one that is used least.
std::uint32_t freeColour(const MeasureList& measures);

} // namespace scanloupe::gui
