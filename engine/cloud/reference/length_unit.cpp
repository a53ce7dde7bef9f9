// Defines the table of units of length, and formats lengths.
#include "engine/cloud/reference/length_unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr double kSurveyFoot = 1200.0 / 3937.0; // metres

// Values of $INSUNITS are from the AutoCAD 2018 DXF Reference, HEADER section. The symbol of degrees is
// "units", since longitude, latitude and height have no common unit.
constexpr std::array kUnits{
    LengthUnitRow{LengthUnit::metre, "metre", "metre", "m", "m", 1, 6},
    LengthUnitRow{LengthUnit::centimetre, "centimetre", "centimetre", "cm", "cm", 0.01, 5},
    LengthUnitRow{LengthUnit::millimetre, "millimetre", "millimetre", "mm", "mm", 0.001, 4},
    LengthUnitRow{LengthUnit::foot, "foot", "international foot", "ft", "ft", 0.3048, 2},
    LengthUnitRow{LengthUnit::surveyFoot, "survey_foot", "US survey foot", "ftUS", "ftUS", kSurveyFoot, 21},
    LengthUnitRow{LengthUnit::inch, "inch", "inch", "in", "in", 0.0254, 1},
    LengthUnitRow{LengthUnit::degree, "degree", "geographic degree", "units", "unit", 0, 0},
    LengthUnitRow{LengthUnit::unknown, "unknown", "unknown unit", "units", "unit", 0, 0},
};

} // namespace

std::span<const LengthUnitRow> lengthUnits() {
    return kUnits;
}

const LengthUnitRow& rowOf(LengthUnit unit) {
    return kUnits[std::size_t(unit)];
}

std::vector<std::string> keysOfLengths() {
    std::vector<std::string> keys;
    for (const LengthUnitRow& row : kUnits)
        if (row.metres > 0)
            keys.emplace_back(row.key);
    return keys;
}

std::optional<LengthUnit> lengthUnitFromText(std::string_view text) {
    const auto* const found = std::ranges::find_if(kUnits, [text](const LengthUnitRow& row) {
        return text == row.key || (row.metres > 0 && text == row.symbol);
    });
    return found == kUnits.end() ? std::nullopt : std::optional(found->unit);
}

std::optional<LengthUnit> lengthUnitOfMetres(double metres) {
    constexpr double rounding = 1e-7; // smaller than the difference between the two feet, 2e-6
    for (const LengthUnitRow& row : kUnits)
        if (row.metres > 0 && std::abs(metres - row.metres) <= rounding * row.metres)
            return row.unit;
    return std::nullopt;
}

std::string unitText(LengthUnit unit, int power) {
    return power == 1 ? std::string(rowOf(unit).symbol) : fmt::format("{}{}", rowOf(unit).symbol, power);
}

std::string plainLengthText(double length, LengthUnit unit, int digits) {
    const double size = std::abs(length);
    if (unit == LengthUnit::metre && size > 0 && size < 1)
        return size >= 0.01 ? fmt::format("{:.{}g} cm", length * 100, digits)
                            : fmt::format("{:.{}g} mm", length * 1000, digits);
    return fmt::format("{:.{}g} {}", length, digits, rowOf(unit).symbol);
}

} // namespace scanloupe
