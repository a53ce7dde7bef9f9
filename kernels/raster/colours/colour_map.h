#pragma once
// Declares the colour maps: tables of 256 colours that scalar values index.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace scanloupe {

enum class ColourMapName : std::uint8_t {
    viridis,  ///< dark violet over green to yellow: uniform lightness, distinguishable with colour blindness;
              ///< the default
    cividis,  ///< dark blue over grey to yellow: looks the same with nearly all kinds of colour vision
    plasma,   ///< blue over red to yellow
    turbo,    ///< a rainbow: most detail, not for colour-blind users
    coolWarm, ///< blue over light grey to red: for values about a middle
    grey,     ///< black to white
};
inline constexpr std::array kColourMapNames{ColourMapName::viridis,  ColourMapName::cividis,
                                            ColourMapName::plasma,   ColourMapName::turbo,
                                            ColourMapName::coolWarm, ColourMapName::grey};

/// The map's 256 colours, 0xAABBGGRR (R, G, B, A in memory), opaque, low to high, or the other way round.
/// Valid as long as the program runs.
std::span<const std::uint32_t, 256> colourMap(ColourMapName name, bool reversed = false);
/// Bands about zero for values from -kToleranceReach to kToleranceReach tolerances: green up to three
/// quarters of the tolerance, yellow above and light blue below up to the tolerance, red and blue beyond. The
/// borders of the bands lie between two colours. Valid as long as the program runs.
std::span<const std::uint32_t, 256> toleranceMap();
inline constexpr double kToleranceReach = 255.0 / 128;

/// The map's name in recipes and on the command line, e.g. "cool-warm".
std::string_view colourMapText(ColourMapName name);
/// The map of that name, or nothing.
std::optional<ColourMapName> colourMapFromText(std::string_view text);

} // namespace scanloupe
