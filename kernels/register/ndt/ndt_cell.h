#pragma once
// Computes keys, hashes and normal distributions of NDT cells, with the same code for both backends.
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt/ndt.h"

namespace scanloupe {

/// Cell coordinates range from -kNdtReach to kNdtReach - 1 along each axis.
inline constexpr std::int32_t kNdtReach = 1 << 20;
/// Key that belongs to no cell.
inline constexpr std::uint64_t kNoNdtKey = ~std::uint64_t{0};

/// Returns the origin of a map whose first scan has its origin at `x`: a corner of a cell.
inline Vec3d ndtMapOrigin(Vec3d x, double resolution) {
    return Vec3d{std::floor(x.x / resolution), std::floor(x.y / resolution), std::floor(x.z / resolution)} *
           resolution;
}

/// Finds the coordinate of a cell along one axis. @returns false if it is out of range
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

/// Returns the row-major key of a cell, z highest, 21 bits per axis. Unlike Morton codes, keys keep their
/// order when the lowest cell is subtracted, so maps can be sorted with only as many bits as their extent
/// needs.
HD constexpr std::uint64_t ndtKey(Vec3i cell) {
    const auto bits = [](std::int32_t c) -> std::uint64_t {
        return static_cast<std::uint32_t>(c + kNdtReach);
    };
    return bits(cell.z) << 42 | bits(cell.y) << 21 | bits(cell.x);
}
HD constexpr Vec3i ndtCellOfKey(std::uint64_t key) {
    const auto along = [key](int shift) {
        return static_cast<std::int32_t>(key >> shift & ((1U << 21) - 1)) - kNdtReach;
    };
    return {along(0), along(21), along(42)};
}
/// Returns the difference between the keys of two cells that are `step` apart, both within range.
HD constexpr std::uint64_t ndtKeyStep(Vec3i step) {
    const auto bits = [](std::int32_t c) { return static_cast<std::uint64_t>(std::int64_t{c}); };
    return (bits(step.z) << 42) + (bits(step.y) << 21) + bits(step.x);
}
/// Factor of the multiplicative hash that spreads keys over the buckets of a table: 2^64 divided by the
/// golden ratio (after Knuth).
inline constexpr std::uint64_t kNdtGolden = 0x9E3779B97F4A7C15U;
HD constexpr std::uint64_t ndtHashOfProduct(std::uint64_t product) {
    return product >> 32 ^ product;
}
HD constexpr std::uint64_t ndtHash(std::uint64_t key) {
    return ndtHashOfProduct(key * kNdtGolden);
}

namespace detail {
/// Offsets of the 27 neighbours along one axis, two bits each: 0, 1 and 2 for -1, 0 and 1. The nearest come
/// first: the cell itself, 6 across faces, 12 across edges, 8 across corners.
consteval std::uint64_t ndtNeighbourBits(int axis) {
    std::uint64_t bits = 0;
    int next = 0;
    for (int kind = 0; kind <= 3; ++kind) {
        for (int n = 0; n < 27; ++n) {
            const int parts[3] = {n % 3, n / 3 % 3, n / 9};
            if ((parts[0] != 1) + (parts[1] != 1) + (parts[2] != 1) == kind)
                bits |= static_cast<std::uint64_t>(parts[axis]) << 2 * next++;
        }
    }
    return bits;
}
} // namespace detail

/// Returns the offset from a cell to its i-th neighbour; neighbour 0 is the cell itself.
HD constexpr Vec3i ndtNeighbour(int i) {
    constexpr std::uint64_t x = detail::ndtNeighbourBits(0), y = detail::ndtNeighbourBits(1),
                            z = detail::ndtNeighbourBits(2);
    const auto part = [i](std::uint64_t bits) { return static_cast<std::int32_t>(bits >> 2 * i & 3) - 1; };
    return {part(x), part(y), part(z)};
}

/// Returns the number of cells that a point is compared with, including cells without enough points.
constexpr int ndtNeighbourCount(NdtNeighbours neighbours) {
    return neighbours == NdtNeighbours::direct1 ? 1 : neighbours == NdtNeighbours::direct7 ? 7 : 27;
}

/// Count, first and second moments of a cell's points. Coordinates are relative to the cell's centre, which
/// keeps the numbers small.
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

/// Fills all of `cell` except the mean.
/// @param s sum of (x - mean)(x - mean)^T over `count` points: xx, xy, xz, yy, yz, zz
/// @returns false for a cell whose points coincide
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
