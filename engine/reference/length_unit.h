#pragma once
// Declares the units of length that coordinates may have, and lengths as text.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// The unit of coordinates. Coordinates are never converted: the unit only defines the meaning of their
/// numbers.
enum class LengthUnit : std::uint8_t {
    metre,
    centimetre,
    millimetre,
    foot,       ///< international, 0.3048 m
    surveyFoot, ///< US survey foot, 1200/3937 m
    inch,
    degree, ///< geographic longitude and latitude: no length
    unknown,
};

/// A row of the table of units.
struct LengthUnitRow {
    LengthUnit unit;
    const char* key;     ///< in project files, e.g. "survey_foot"
    const char* name;    ///< "US survey foot"
    const char* symbol;  ///< "ftUS"; areas and volumes append ² and ³
    const char* inNames; ///< in the names of columns and keys: "distance_ftUS"
    double metres;       ///< length in metres; 0 if it is no length, or not known
    int dxf;             ///< the value of $INSUNITS in a DXF file; 0: none
};

/// All units, in the order of the enumeration.
std::span<const LengthUnitRow> lengthUnits();
const LengthUnitRow& rowOf(LengthUnit unit);
/// The keys of all units that have a length in metres, in the order of the enumeration.
std::vector<std::string> keysOfLengths();
/// By key or symbol.
std::optional<LengthUnit> lengthUnitFromText(std::string_view text);
/// The unit of a length in metres, with a relative error of 1e-7 at most, which distinguishes the two feet.
std::optional<LengthUnit> lengthUnitOfMetres(double metres);

/// "ft", or "ft2" and "ft3" of areas and volumes: plain ASCII, for the command line.
std::string unitText(LengthUnit unit, int power = 1);
/// A length with up to `digits` significant digits: "2.5 ft"; metres below 1 as cm and mm.
std::string plainLengthText(double length, LengthUnit unit, int digits = 6);

} // namespace scanloupe
