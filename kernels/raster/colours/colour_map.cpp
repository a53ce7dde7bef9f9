// Tabulates the colour maps, interpolated in Oklab (Ottosson, 2020).
#include "kernels/raster/colours/colour_map.h"

#include "kernels/core/vec3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

using Table = std::array<std::uint32_t, 256>;

double toLinear(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double toSrgb(double v) {
    return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

/// Converts an sRGB colour, 0xRRGGBB, to Oklab (Ottosson, 2020), in which straight lines are perceptually
/// uniform.
Vec3d toOklab(std::uint32_t rgb) {
    const double r = toLinear((rgb >> 16 & 255) / 255.0), g = toLinear((rgb >> 8 & 255) / 255.0),
                 b = toLinear((rgb & 255) / 255.0);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::uint32_t fromOklab(Vec3d lab) {
    const auto cube = [](double v) { return v * v * v; };
    const double l = cube(lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z);
    const double m = cube(lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z);
    const double s = cube(lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z);
    const auto byte = [](double linear) {
        return static_cast<std::uint32_t>(std::lround(255 * toSrgb(std::clamp(linear, 0.0, 1.0))));
    };
    return 0xff000000u | byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s) << 16 |
           byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8 |
           byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
}

/// Interpolates between evenly spaced colours (0xRRGGBB), along straight lines in Oklab.
Table table(std::initializer_list<std::uint32_t> colours) {
    std::vector<Vec3d> points;
    for (const std::uint32_t rgb : colours)
        points.push_back(toOklab(rgb));
    Table out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double t = static_cast<double>(i) / 255 * static_cast<double>(points.size() - 1);
        const std::size_t left = std::min(static_cast<std::size_t>(t), points.size() - 2);
        const double part = t - static_cast<double>(left);
        out[i] = fromOklab(points[left] * (1 - part) + points[left + 1] * part);
    }
    return out;
}

/// Returns a linear ramp in sRGB: Oklab is not linear near black and would waste the dark end.
Table greyTable() {
    Table out;
    for (std::uint32_t i = 0; i < out.size(); ++i)
        out[i] = 0xff000000u | i * 0x010101u;
    return out;
}

const Table& tableOf(ColourMapName name) {
    // Each table interpolates a few colours of the well-known map of that name.
    static const Table viridis =
        table({0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725});
    static const Table cividis = table({0x00224e, 0x35456c, 0x666970, 0x948e77, 0xc8b866, 0xfee838});
    static const Table plasma = table({0x0d0887, 0x6a00a8, 0xb12a90, 0xe16462, 0xfca636, 0xf0f921});
    static const Table turbo = table(
        {0x30123b, 0x4662d7, 0x36aaf9, 0x1ae4b6, 0x72fe5e, 0xc7ef34, 0xfaba39, 0xf66b19, 0xcb2a04, 0x7a0403});
    static const Table coolWarm = table({0x3b4cc0, 0x8db0fe, 0xdddddd, 0xf49a7b, 0xb40426});
    static const Table grey = greyTable();
    switch (name) {
    case ColourMapName::viridis:
        return viridis;
    case ColourMapName::cividis:
        return cividis;
    case ColourMapName::plasma:
        return plasma;
    case ColourMapName::turbo:
        return turbo;
    case ColourMapName::coolWarm:
        return coolWarm;
    case ColourMapName::grey:
        return grey;
    }
    return viridis;
}

} // namespace

std::span<const std::uint32_t, 256> colourMap(ColourMapName name, bool reversed) {
    using Tables = std::array<std::array<std::uint32_t, 256>, kColourMapNames.size()>;
    static const Tables turned = [] {
        Tables tables;
        for (const ColourMapName each : kColourMapNames)
            std::ranges::reverse_copy(tableOf(each), tables[std::size_t(each)].begin());
        return tables;
    }();
    if (reversed)
        return turned[std::size_t(name)];
    return tableOf(name);
}

std::span<const std::uint32_t, 256> toleranceMap() {
    static const Table bands = [] {
        struct Band {
            int end; ///< index after the band's last colour; a value of v tolerances has the index 127.5 + 64
                     ///< v
            std::uint32_t colour;
        };
        constexpr std::array all{Band{64, 0xffc86432}, Band{80, 0xfff0c88c}, Band{176, 0xff64b45a},
                                 Band{192, 0xff3cd2fa}, Band{256, 0xff3232d2}};
        Table table;
        int i = 0;
        for (const Band& band : all)
            for (; i < band.end; ++i)
                table[std::size_t(i)] = band.colour;
        return table;
    }();
    return bands;
}

std::string_view colourMapText(ColourMapName name) {
    switch (name) {
    case ColourMapName::viridis:
        return "viridis";
    case ColourMapName::cividis:
        return "cividis";
    case ColourMapName::plasma:
        return "plasma";
    case ColourMapName::turbo:
        return "turbo";
    case ColourMapName::coolWarm:
        return "cool-warm";
    case ColourMapName::grey:
        return "grey";
    }
    return "viridis";
}

std::optional<ColourMapName> colourMapFromText(std::string_view text) {
    for (const ColourMapName name : kColourMapNames)
        if (colourMapText(name) == text)
            return name;
    return std::nullopt;
}

} // namespace scanloupe
