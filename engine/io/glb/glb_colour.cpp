// Tabulates the sRGB transfer function (IEC 61966-2-1) in both directions.
#include "engine/io/glb/glb_format.h"

#include <cmath>

namespace scanloupe::detail {

const std::array<std::uint16_t, 256>& srgbToLinear() {
    static const auto table = [] {
        std::array<std::uint16_t, 256> values{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double c = static_cast<double>(i) / 255;
            const double linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            values[i] = static_cast<std::uint16_t>(std::lround(linear * 65535));
        }
        return values;
    }();
    return table;
}

const std::array<std::uint8_t, 65536>& linearToSrgb() {
    static const auto table = [] {
        std::array<std::uint8_t, 65536> values{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double c = static_cast<double>(i) / 65535;
            const double srgb = c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
            values[i] = static_cast<std::uint8_t>(std::lround(srgb * 255));
        }
        return values;
    }();
    return table;
}

} // namespace scanloupe::detail
