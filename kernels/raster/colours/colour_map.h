#pragma once
// Declares the colour maps: tables of 256 colours for scalar values.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace scanloupe {

enum class ColourMapName : std::uint8_t {
    viridis,  ///< dark violet over green to yellow: uniform lightness, suitable for colour-blind users; the
              ///< default
    cividis,  ///< dark blue over grey to yellow: looks nearly the same to colour-blind users
    plasma,   ///< blue over red to yellow
    turbo,    ///< rainbow: shows the most detail, but unsuitable for colour-blind users
    coolWarm, ///< blue over light grey to red: for values that deviate from a centre
    grey,     ///< black to white
};
inline constexpr std::array kColourMapNames{ColourMapName::viridis,  ColourMapName::cividis,
                                            ColourMapName::plasma,   ColourMapName::turbo,
                                            ColourMapName::coolWarm, ColourMapName::grey};

/// Returns the map's 256 opaque colours, 0xAABBGGRR (R, G, B, A in memory), from low to high values, or the
/// other way round if `reversed`. Valid as long as the program runs.
std::span<const std::uint32_t, 256> colourMap(ColourMapName name, bool reversed = false);
/// Returns the colours of tolerance bands, for values from -kToleranceReach to kToleranceReach tolerances:
/// green up to three quarters of the tolerance, then yellow (positive) and light blue (negative) up to the
/// tolerance, red and blue beyond. The borders of the bands are between two colours. Valid as long as the
/// program runs.
std::span<const std::uint32_t, 256> toleranceMap();
inline constexpr double kToleranceReach = 255.0 / 128;

/// Returns the map's name in recipes and on the command line, e.g. "cool-warm".
std::string_view colourMapText(ColourMapName name);
/// Returns the map of that name; nullopt if the name is unknown.
std::optional<ColourMapName> colourMapFromText(std::string_view text);

} // namespace scanloupe
