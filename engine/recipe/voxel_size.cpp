// Chooses voxel sizes from a sample of the points.
#include "engine/recipe/voxel_size.h"

#include "engine/cloud/bounds.h"
#include "engine/recipe/parameters.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kVoxelSizeGrain = 1 << 14; // number of points per task
constexpr double kWantedVoxels = 300'000;
constexpr double kWantedPointsPerVoxel = 3; // suffices to connect the voxels of a small scan
// Above this ratio of total to examined points the result is an estimate from a sample
constexpr double kSampled = 2;
constexpr std::size_t kFewPoints = 1000; // smaller scans may have one voxel per point

} // namespace

double estimateVoxels(std::span<const Vec3d> points, Vec3d origin, double size, const std::stop_token& stop) {
    constexpr std::size_t bits = std::size_t{1} << 22;
    std::vector<std::atomic<std::uint64_t>> seen(bits / 64);
    parallelFor(points.size(), kVoxelSizeGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (const Vec3d& p : points.subspan(begin, end - begin)) {
            const auto cell = [&](int axis) {
                constexpr double most = 9e18; // below the maximum of a 64-bit integer
                return std::uint64_t(std::int64_t(std::clamp((p[axis] - origin[axis]) / size, -most, most)));
            };
            std::uint64_t hash = (cell(2) * 0x9e3779b97f4a7c15u + cell(1)) * 0x9e3779b97f4a7c15u + cell(0);
            hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9u;
            hash ^= hash >> 29;
            std::atomic<std::uint64_t>& word = seen[(hash % bits) / 64];
            const std::uint64_t bit = std::uint64_t{1} << (hash % 64);
            if (!(word.load(std::memory_order_relaxed) & bit)) // most bits are set already, and reads do not
                                                               // invalidate other caches
                word.fetch_or(bit, std::memory_order_relaxed);
        }
    });
    std::size_t set = 0;
    for (const std::atomic<std::uint64_t>& word : seen)
        set += std::size_t(std::popcount(word.load(std::memory_order_relaxed)));
    const double empty = std::max(1.0, double(bits - set));
    return -double(bits) * std::log(empty / double(bits));
}

double chooseVoxelSize(std::span<const Vec3d> points, const Bounds& range, double longest, double share,
                       std::size_t ofAll, const std::stop_token& stop) {
    constexpr std::array mantissas{1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
    const Parameter& limits = parameter("voxel_size");
    std::vector<double> sizes;
    for (int exponent = int(std::floor(std::log10(longest))) - 5;
         exponent <= int(std::ceil(std::log10(longest))); ++exponent) {
        for (const double mantissa : mantissas) {
            // dividing by a power of ten gives the double nearest to the decimal number
            const double size =
                exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
            if (size <= longest && size >= limits.min && size <= limits.max)
                sizes.push_back(size);
        }
    }
    if (sizes.empty())
        return std::clamp(longest, limits.min, limits.max);
    const auto count = double(points.size());
    const auto smallest = [&](const auto& good) {
        return *std::partition_point(sizes.begin(), sizes.end() - 1,
                                     [&](double size) { return !good(size); });
    };
    const auto voxelsOf = [&](double size) { return estimateVoxels(points, range.min, size, stop); };
    if (share <= kSampled) {
        const double perVoxel = ofAll < kFewPoints ? 1 : kWantedPointsPerVoxel;
        return smallest([&](double size) {
            const double voxels = voxelsOf(size);
            return voxels <= kWantedVoxels && count >= perVoxel * voxels;
        });
    }
    if (count > kWantedVoxels)
        return smallest([&](double size) { return voxelsOf(size) <= kWantedVoxels; });
    // A sparse sample reaches one point per voxel long before the scan does. Therefore, extrapolate from
    // sizes with several sample points per voxel, assuming that the number of voxels grows with the inverse
    // square of the size, as on surfaces.
    const double dense =
        smallest([&](double size) { return count >= kWantedPointsPerVoxel * voxelsOf(size); });
    const double voxelsThere = voxelsOf(dense);
    return smallest([&](double size) {
        const double voxels = size < dense ? voxelsThere * (dense / size) * (dense / size) : voxelsOf(size);
        return voxels <= kWantedVoxels && count * share >= kWantedPointsPerVoxel * voxels;
    });
}

double steadyVoxelSize(double chosen, double whole, double pointsPerVoxel) {
    constexpr double fewest = 1.5; // points per voxel; with fewer, voxels would be smaller than the distance
                                   // between points
    if (!(whole > 0))
        return chosen;
    if (chosen > whole)
        return pointsPerVoxel >= fewest ? whole : chosen;
    constexpr double rounding = 1e-9;
    return whole / std::exp2(std::floor(std::log2(whole / chosen) + rounding));
}

} // namespace scanloupe
