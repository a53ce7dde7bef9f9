#pragma once
// Declares the GeoTIFF keys of a coordinate system, as a LAS file has them.
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// Codes are those of the EPSG dataset; 32767 means user-defined, by other keys (GeoTIFF 1.0, 6.3).
struct GeoTiffKeys {
    std::optional<int> model;                           ///< 1: projected, 2: geographic, 3: geocentric
    std::optional<int> projected, geographic, vertical; ///< systems
    std::optional<int> linearUnit, verticalUnit;        ///< units
    std::optional<double> linearSize;                   ///< size of a user-defined unit, in metres
    std::string citation;                               ///< the name; may be empty
};

constexpr int kUserDefinedKey = 32767;

/// @param text in the form of readLasCrs(): "name value; name value" @returns none for other text
std::optional<GeoTiffKeys> parseGeoTiffKeys(std::string_view text);

} // namespace scanloupe
