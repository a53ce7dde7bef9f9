#pragma once
// Declares the units of length for coordinates, and the formatting of lengths.
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
    degree, ///< geographic longitude and latitude, not a length
    unknown,
};

/// A row of the table of units.
struct LengthUnitRow {
    LengthUnit unit;
    const char* key;     ///< key in project files, e.g. "survey_foot"
    const char* name;    ///< e.g. "US survey foot"
    const char* symbol;  ///< e.g. "ftUS"; areas and volumes append ² and ³
    const char* inNames; ///< suffix in names of columns and keys, as in "distance_ftUS"
    double metres;       ///< length in metres; 0 if the unit is not a length or unknown
    int dxf;             ///< the value of $INSUNITS in a DXF file; 0: none
};

/// All units, in the order of the enumeration.
std::span<const LengthUnitRow> lengthUnits();
const LengthUnitRow& rowOf(LengthUnit unit);
/// Returns the keys of all units that are lengths, in the order of the enumeration.
std::vector<std::string> keysOfLengths();
/// Finds a unit by key or symbol; nullopt if there is none.
std::optional<LengthUnit> lengthUnitFromText(std::string_view text);
/// Finds the unit with a length in metres, with a maximum relative error of 1e-7, which distinguishes the two
/// feet.
std::optional<LengthUnit> lengthUnitOfMetres(double metres);

/// Returns the symbol of a unit in ASCII for the command line: "ft", or "ft2" and "ft3" for areas and
/// volumes.
std::string unitText(LengthUnit unit, int power = 1);
/// Formats a length with up to `digits` significant digits, e.g. "2.5 ft". Lengths in metres below 1 are
/// formatted in cm or mm.
std::string plainLengthText(double length, LengthUnit unit, int digits = 6);

} // namespace scanloupe
