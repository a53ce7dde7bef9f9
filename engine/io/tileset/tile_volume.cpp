// Computes axis-aligned boxes around the bounding volumes of 3D Tiles (Open Geospatial Consortium, 22-025r4,
// 7.3: "Bounding volumes").
#include "engine/io/tileset/tile_volume.h"

#include "engine/cloud/bounds.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;

struct RegionInterval {
    double low, high;
    RegionInterval operator*(RegionInterval other) const {
        const auto [least, most] =
            std::minmax({low * other.low, low * other.high, high * other.low, high * other.high});
        return {least, most};
    }
};

/// Returns the range of the cosine for angles in [from, to], in radians.
RegionInterval cosineBetween(double from, double to) {
    constexpr double pi = std::numbers::pi;
    const auto reaches =
        [&](double angle) { // whether the interval contains `angle` plus a multiple of a full turn
            return angle + 2 * pi * std::ceil((from - angle) / (2 * pi)) <= to;
        };
    const auto [low, high] = std::minmax({std::cos(from), std::cos(to)});
    return {reaches(pi) ? -1 : low, reaches(0) ? 1 : high};
}

/// Returns the geocentric bounding box of a region, in metres. @param region west, south, east and north in
/// radians; minimum and maximum height above the ellipsoid in metres
Bounds boxOfRegion(const std::vector<double>& region) {
    constexpr double pi = std::numbers::pi, radius = 6378137, flattening = 1 / 298.257223563; // WGS 84
    constexpr double squaredEccentricity = flattening * (2 - flattening);
    const double west = region[0], south = region[1], north = region[3], low = region[4], high = region[5];
    const double east =
        region[2] < west ? region[2] + 2 * pi : region[2]; // the region crosses the antimeridian
    const auto curvature = [&](double latitude) {          // radius of curvature in the prime vertical
        return radius / std::sqrt(1 - squaredEccentricity * std::sin(latitude) * std::sin(latitude));
    };
    const auto fromAxis = [&](double latitude, double height) {
        return (curvature(latitude) + height) * std::cos(latitude);
    };
    const auto aboveEquator = [&](double latitude, double height) {
        return (curvature(latitude) * (1 - squaredEccentricity) + height) * std::sin(latitude);
    };
    // the distance from the axis decreases towards the poles; the height above the equator increases
    // northwards
    const double nearest = std::clamp(0.0, std::min(south, north), std::max(south, north));
    const double farthest = std::max(std::abs(south), std::abs(north));
    const RegionInterval distance{fromAxis(farthest, low), fromAxis(nearest, high)};
    const RegionInterval x = distance * cosineBetween(west, east),
                         y = distance * cosineBetween(west - pi / 2, east - pi / 2);
    return {{x.low, y.low, std::min(aboveEquator(south, low), aboveEquator(south, high))},
            {x.high, y.high, std::max(aboveEquator(north, low), aboveEquator(north, high))}};
}

} // namespace

Vec3d placed(const TileTransform& to, Vec3d v, double one) {
    return {to[0] * v.x + to[4] * v.y + to[8] * v.z + to[12] * one,
            to[1] * v.x + to[5] * v.y + to[9] * v.z + to[13] * one,
            to[2] * v.x + to[6] * v.y + to[10] * v.z + to[14] * one};
}

std::vector<double> numbersOf(const Json& json, std::size_t count) {
    std::vector<double> numbers;
    if (json.is_array() && json.size() == count)
        for (const Json& one : json)
            if (one.is_number())
                numbers.push_back(one.get<double>());
    return numbers.size() == count ? numbers : std::vector<double>();
}

std::optional<Bounds> boxOf(const Json& volume, const TileTransform& to) {
    std::array<Vec3d, 3> halves;
    Vec3d middle;
    if (const auto box = numbersOf(volume.value("box", Json()), 12); !box.empty()) {
        middle = {box[0], box[1], box[2]};
        for (std::size_t i = 0; i < 3; ++i)
            halves[i] = {box[3 + 3 * i], box[4 + 3 * i], box[5 + 3 * i]};
    } else if (const auto sphere = numbersOf(volume.value("sphere", Json()), 4); !sphere.empty()) {
        middle = {sphere[0], sphere[1], sphere[2]};
        for (int i = 0; i < 3; ++i)
            halves[std::size_t(i)][i] = sphere[3];
    } else if (const auto region = numbersOf(volume.value("region", Json()), 6); !region.empty()) {
        const Bounds bounds = boxOfRegion(region);
        return isFinite(bounds.min) && isFinite(bounds.max) ? std::optional(bounds) : std::nullopt;
    } else {
        return std::nullopt;
    }
    middle = placed(to, middle, 1);
    Vec3d reach;
    for (const Vec3d half : halves) {
        const Vec3d turned = placed(to, half, 0);
        for (int axis = 0; axis < 3; ++axis)
            reach[axis] += std::abs(turned[axis]);
    }
    if (!isFinite(middle) || !isFinite(reach))
        return std::nullopt;
    return Bounds{middle - reach, middle + reach};
}

} // namespace scanloupe
