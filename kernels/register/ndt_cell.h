#pragma once
// How points become the distribution of a cell, and how a cell is found: for both backends.
#include "kernels/register/jacobi_eigen.h"
#include "kernels/register/ndt_map.h"

namespace scanloupe {

/// Cells reach from -kNdtReach to kNdtReach - 1 along each axis.
inline constexpr std::int32_t kNdtReach = 1 << 20;
/// Belongs to no cell.
inline constexpr std::uint64_t kNoNdtKey = ~std::uint64_t{0};

/// Where a map begins whose first scan has its origin at `x`: a corner of a cell.
inline Vec3d ndtMapOrigin(Vec3d x, double resolution) {
    return Vec3d{std::floor(x.x / resolution), std::floor(x.y / resolution), std::floor(x.z / resolution)} *
           resolution;
}

/// The coordinate of a cell, unless out of reach.
HD inline bool ndtCellAlong(double inverseEdge, double x, std::int32_t& cell) {
    const double place = std::floor(x * inverseEdge);
    if (!(place >= -kNdtReach && place < kNdtReach))
        return false;
    cell = static_cast<std::int32_t>(place);
    return true;
}
HD inline bool ndtCellOf(double inverseEdge, Vec3d x, Vec3i& cell) {
    return ndtCellAlong(inverseEdge, x.x, cell.x) && ndtCellAlong(inverseEdge, x.y, cell.y) &&
           ndtCellAlong(inverseEdge, x.z, cell.z);
}

/// By z, then y, then x: 21 bits each. Unlike Morton's, this order stays when the lowest cell is taken off,
/// so that maps are sorted by as many bits as they are wide.
HD constexpr std::uint64_t ndtKey(Vec3i cell) {
    const auto bits = [](std::int32_t c) { return static_cast<std::uint64_t>(c + kNdtReach); };
    return bits(cell.z) << 42 | bits(cell.y) << 21 | bits(cell.x);
}
HD constexpr Vec3i ndtCellOfKey(std::uint64_t key) {
    const auto along = [key](int shift) {
        return static_cast<std::int32_t>(key >> shift & ((1U << 21) - 1)) - kNdtReach;
    };
    return {along(0), along(21), along(42)};
}
/// Spreads keys over the slots of a table.
HD constexpr std::uint64_t ndtHash(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15U; // after Knuth: multiplication by the golden ratio
    return key >> 32 ^ key;
}

/// The cells that a point is compared with, the nearest kinds first: its own, 6 across faces, 12 across
/// edges, 8 across corners.
HD constexpr Vec3i ndtNeighbour(int i) {
    // two bits an axis, 1 being none: x, y, z from the lowest
    constexpr std::uint8_t packed[27] = {21, 20, 22, 17, 25, 5, 37, 16, 18, 24, 26, 4,  6, 36,
                                         38, 1,  9,  33, 41, 0, 2,  8,  10, 32, 34, 40, 42};
    return {(packed[i] & 3) - 1, (packed[i] >> 2 & 3) - 1, (packed[i] >> 4 & 3) - 1};
}

/// Sums over a cell's points, relative to its middle: there they are as small as can be.
struct NdtSums {
    std::uint32_t count = 0;
    Vec3d sum;
    double squares[6] = {}; ///< xx, xy, xz, yy, yz, zz

    HD void add(Vec3d u) {
        ++count;
        sum += u;
        squares[0] += u.x * u.x;
        squares[1] += u.x * u.y;
        squares[2] += u.x * u.z;
        squares[3] += u.y * u.y;
        squares[4] += u.y * u.z;
        squares[5] += u.z * u.z;
    }
};

/// Fills all but the mean from S, the sum of (x - mean)(x - mean)^T over `count` points.
/// @returns false for a cell whose points are one
HD inline bool ndtDistribution(const double (&s)[6], std::uint32_t count, NdtCovariance kind,
                               double leastRatio, double resolution, NdtCell& cell) {
    const double n = count;
    double factor = 1 / (n - 1), extra = 0;
    if (kind == NdtCovariance::pcl)
        factor = (n - 1) / (n * n);
    if (kind != NdtCovariance::sample)
        extra = 1;
    double a[3][3] = {{(s[0] + extra) * factor, s[1] * factor, s[2] * factor},
                      {s[1] * factor, (s[3] + extra) * factor, s[4] * factor},
                      {s[2] * factor, s[4] * factor, (s[5] + extra) * factor}};
    double v[3][3];
    jacobiEigen(a, v);
    const double largest = a[2][2];
    if (!(largest > 1e-12 * resolution * resolution))
        return false;
    double inverse[6] = {};
    for (int k = 0; k < 3; ++k) {
        const double value = a[k][k] > leastRatio * largest ? a[k][k] : leastRatio * largest;
        cell.deviations[k] = std::sqrt(value);
        cell.axes[k] = {v[k][0], v[k][1], v[k][2]};
        inverse[0] += v[k][0] * v[k][0] / value;
        inverse[1] += v[k][0] * v[k][1] / value;
        inverse[2] += v[k][0] * v[k][2] / value;
        inverse[3] += v[k][1] * v[k][1] / value;
        inverse[4] += v[k][1] * v[k][2] / value;
        inverse[5] += v[k][2] * v[k][2] / value;
    }
    for (int i = 0; i < 6; ++i)
        cell.inverse[i] = inverse[i];
    cell.count = count;
    return true;
}

} // namespace scanloupe
