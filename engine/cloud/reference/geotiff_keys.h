#pragma once
// Declares the GeoTIFF keys of a coordinate system, as stored in LAS files.
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

/// GeoTIFF keys. Codes are from the EPSG dataset; 32767 means user-defined by other keys (GeoTIFF 1.0, 6.3).
struct GeoTiffKeys {
    std::optional<int> model;                           ///< 1: projected, 2: geographic, 3: geocentric
    std::optional<int> projected, geographic, vertical; ///< codes of the systems
    std::optional<int> linearUnit, verticalUnit;        ///< codes of the units
    std::optional<double> linearSize;                   ///< size of a user-defined linear unit, in metres
    std::string citation;                               ///< name of the system; may be empty
};

constexpr int kUserDefinedKey = 32767;

/// Parses GeoTIFF keys. @param text in the form of readLasCrs(): "name value; name value" @returns nullopt
/// for other text
std::optional<GeoTiffKeys> parseGeoTiffKeys(std::string_view text);

} // namespace scanloupe
