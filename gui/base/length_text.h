#pragma once
// Declares lengths, areas and volumes as text, in the unit of a scan's coordinates and the user's locale.
#include "engine/cloud/reference/length_unit.h"

#include <QString>

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

/// "ft"; "ft²" and "ft³" with a power of 2 and 3.
QString unitSymbol(LengthUnit unit, int power = 1);
/// "US survey foot (ftUS)".
QString unitName(LengthUnit unit);
/// A formatted number followed by the unit: "2.310 ft", "17.2 m²".
QString withUnit(const QString& number, LengthUnit unit, int power = 1);
/// A length in few digits: "12.35 ft", "0.0123 ft"; metres below 1 in millimetres.
QString lengthText(double length, LengthUnit unit);
/// The unit of a parameter's numbers, translated: that of lengths is the scan's. May be empty.
QString parameterUnit(const Parameter& parameter, LengthUnit unit);

} // namespace scanloupe::gui
