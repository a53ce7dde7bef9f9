#pragma once
// Culls the triangles of a cluster on its fixed-point screen grid, in integers.
#include "kernels/raster/clusters/triangle_cluster_element.h"

namespace scanloupe {

/// Transforms a vertex to the grid. The result has x in its lower and y in its upper 16 bits, and is within
/// the grid's margin of the position where the vertex is drawn.
/// @param math reciprocal(float) -> float, within two units in the last place; one(word, left, mask) -> the
/// float whose bits are those of 1 combined (or) with `word` rotated left by `left` bits and masked;
/// packed(x, y) -> a word with the lower 16 bits of each
template <class Math>
HD inline std::uint32_t gridCorner(const ClusterGrid& grid, std::uint32_t vertex, const Math& math) {
    constexpr std::uint32_t fraction = 23; // bits of a float's fraction
    // 1 + the vertex's fraction of the box's extent along an axis
    const auto part = [&](std::uint32_t end, std::uint32_t bits) {
        return math.one(vertex, (fraction - end) & 31, (1u << fraction) - (1u << (fraction - bits)));
    };
    constexpr std::uint32_t endX = kClusterBitsX, endY = endX + kClusterBitsY, endZ = endY + kClusterBitsZ;
    const float x = part(endX, kClusterBitsX), y = part(endY, kClusterBitsY), z = part(endZ, kClusterBitsZ);
    const auto along = [&](Vec3f row, float at) {
        return std::fma(row.x, x, std::fma(row.y, y, std::fma(row.z, z, at)));
    };
    const float inverse = math.reciprocal(along(grid.z, grid.atZ));
    const auto bits = [&](float at, float shift) {
        return std::bit_cast<std::uint32_t>(std::fma(at, inverse, shift));
    };
    return math.packed(bits(along(grid.x, grid.atX), grid.shiftX),
                       bits(along(grid.y, grid.atY), grid.shiftY));
}

/// Returns whether a box may contain a pixel centre. True for every box that does after its corners have
/// moved by the margin.
/// @param low, high corners of the box, x and y packed
HD inline bool mayHoldCentre(const ClusterGrid& grid, std::uint32_t low, std::uint32_t high) {
    const std::uint32_t both = 0x10001u;
    const std::uint32_t unit = grid.unit, margin = grid.margin;
    const std::uint32_t pixels = (high + margin * both) ^ (low - (margin + 1) * both),
                        bits = (0x10000u - unit) * both; // bits of both coordinates that give the number of a
                                                         // pixel
    return static_cast<bool>(((pixels & bits & 0xffffu) != 0) & ((pixels & bits & 0xffff0000u) != 0));
}

/// Returns true for triangles that certainly draw no pixel, in spite of rounding.
HD inline bool isConservativelyCulled(const ClusterGrid& grid, std::uint32_t a, std::uint32_t b,
                                      std::uint32_t c, bool backFaces) {
    const auto x = [](std::uint32_t corner) { return static_cast<std::int32_t>(corner & 0xffffu); };
    const auto y = [](std::uint32_t corner) { return static_cast<std::int32_t>(corner >> 16); };
    const auto low = [](std::int32_t p, std::int32_t q, std::int32_t r) {
        return p < q ? (p < r ? p : r) : (q < r ? q : r);
    };
    const auto high = [](std::int32_t p, std::int32_t q, std::int32_t r) {
        return p > q ? (p > r ? p : r) : (q > r ? q : r);
    };
    const std::int32_t unit = grid.unit, margin = grid.margin;
    const std::int32_t minX = low(x(a), x(b), x(c)), maxX = high(x(a), x(b), x(c)),
                       minY = low(y(a), y(b), y(c)), maxY = high(y(a), y(b), y(c));
    // last pixel centre of the box along x and y
    const std::int32_t centreX = (maxX + margin) & -unit, centreY = (maxY + margin) & -unit;
    if (centreX < minX - margin || centreY < minY - margin)
        return true; // the box contains no pixel centre
    // same bounds as in isConservativelyCulled() of conservative_cull.h
    const std::int32_t square = 8 * margin * margin,
                       slack = 2 * margin * (maxX - minX + maxY - minY) + square;
    const std::int32_t abX = x(b) - x(a), abY = y(b) - y(a), acX = x(c) - x(a), acY = y(c) - y(a);
    const std::int32_t area = abX * acY - abY * acX;
    if (!backFaces && area > slack)
        return true;
    const bool one = centreX - unit < minX - margin && centreY - unit < minY - margin;
    if (!one || (area <= slack && area >= -slack))
        return false;
    const std::int32_t aX = centreX - x(a), aY = centreY - y(a), bX = centreX - x(b), bY = centreY - y(b),
                       cX = centreX - x(c), cY = centreY - y(c);
    const auto size = [](std::int32_t v) { return v < 0 ? -v : v; };
    const std::int32_t toA = size(aX) + size(aY), toB = size(bX) + size(bY), toC = size(cX) + size(cY);
    const std::int32_t beyondAb = abX * aY - abY * aX, beyondAc = aX * acY - aY * acX,
                       beyondBc = area - beyondAb - beyondAc;
    const std::int32_t sign = area > 0 ? 1 : -1;
    return sign * beyondAb < -margin * (toA + toB) - square ||
           sign * beyondAc < -margin * (toA + toC) - square ||
           sign * beyondBc < -margin * (toB + toC) - square;
}

} // namespace scanloupe
