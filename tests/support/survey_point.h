#pragma once
// Computes the points of generated surveys from their numbers, for both backends: hilly ground with
// flat-roofed houses.
#include "kernels/core/hd.h"
#include "kernels/core/mix_bits.h"
#include "kernels/core/vec3.h"

#include <cmath>
#include <cstdint>

namespace scanloupe::test {

struct SurveyArea {
    int blocksX = 4, blocksY = 3;          ///< number of blocks along x and y
    double edge = 8;                       ///< edge of a block, metres
    std::uint64_t pointsPerBlock = 20'000; ///< points are spread evenly as seen from above
    Vec3d corner;                          ///< lower corner of the area
    std::uint64_t seed = 1;
};

namespace detail {

/// 0 to 1, by the upper 32 of the bits.
HD inline double unit(std::uint64_t bits) {
    return double(bits >> 32) / 4294967296.0;
}

/// A wave of parabolas from -1 to 1, of period 1.
HD inline double wave(double t) {
    const double part = t - floor(t);
    const double half = part < 0.5 ? part * 2 : part * 2 - 1;
    return (part < 0.5 ? 4 : -4) * half * (1 - half);
}

HD inline double heightAt(double x, double y) {
    constexpr double street = 30, house = 18; // metres
    const double ground = 2 * wave(x / 97) + 1.5 * wave(y / 71) + 0.3 * wave((x + y) / 13);
    const double cellX = floor(x / street), cellY = floor(y / street);
    const std::uint64_t dice = mixBits(std::uint64_t(std::int64_t(cellX)) * 0x9e3779b97f4a7c15u +
                                       std::uint64_t(std::int64_t(cellY)));
    const bool inside = x - cellX * street < house && y - cellY * street < house;
    return ground + (inside && dice % 3 != 0 ? 5 + double(dice % 977) / 60 : 0);
}

} // namespace detail

/// Point number `i` of a block, metres.
HD inline Vec3d surveyPoint(const SurveyArea& area, std::uint64_t block, std::uint64_t i) {
    const std::uint64_t a = mixBits(area.seed + 2 * (block * area.pointsPerBlock + i));
    const std::uint64_t b = mixBits(a + area.seed);
    const double blockX = double(block % std::uint64_t(area.blocksX)) * area.edge,
                 blockY = double(block / std::uint64_t(area.blocksX)) * area.edge;
    const double x = blockX + detail::unit(a) * area.edge, y = blockY + detail::unit(a << 32) * area.edge;
    const double noise = 0.04 * (detail::unit(b) + detail::unit(b << 32) - 1);
    return {area.corner.x + x, area.corner.y + y, area.corner.z + detail::heightAt(x, y) + noise};
}

} // namespace scanloupe::test
