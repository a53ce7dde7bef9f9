// Estimates parameters from a sample of the points.
#include "engine/recipe/defaults.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/moved_positions.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/voxel_size.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kSample = 1'000'000;      // number of points that suffices to estimate the density, and
                                                // is fast to process
constexpr std::size_t kDefaultsGrain = 1 << 14; // number of points per task of parallel loops

/// Returns every n-th finite point, in the file's frame.
std::vector<Vec3d> samplePoints(const PointCloud& cloud, const std::stop_token& stop) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / kSample);
    std::vector<Vec3d> sample(cloud.size() / stride);
    parallelFor(sample.size(), kDefaultsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample[i] = cloud.position(i * stride);
    });
    std::erase_if(sample, [](Vec3d p) { return !isFinite(p); });
    return sample;
}

/// Clips `all` to the middle 99 % of the sample along each axis, extended by the width of that interval on
/// either side.
Bounds robustBounds(const Bounds& all, std::span<const Vec3d> sample, const std::stop_token& stop) {
    Bounds fence;
    Vec3d low, high;
    parallelFor(6, 1, stop, [&](std::size_t task, std::size_t) {
        const int axis = int(task) % 3;
        const double q = task < 3 ? 0.005 : 0.995;
        std::vector<double> values(sample.size());
        std::transform(sample.begin(), sample.end(), values.begin(), [axis](Vec3d p) { return p[axis]; });
        const auto at = values.begin() + std::llround(q * double(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        (task < 3 ? low : high)[axis] = *at;
    });
    const double thinnest = 0.05 * norm(high - low); // the noise of a planar scan must not count as outliers
    for (int axis = 0; axis < 3; ++axis) {
        const double width = std::max(high[axis] - low[axis], thinnest);
        fence.min[axis] = std::max(all.min[axis], low[axis] - width);
        fence.max[axis] = std::min(all.max[axis], high[axis] + width);
    }
    return fence;
}

double longestEdge(const Bounds& box) {
    const Vec3d extent = box.max - box.min;
    return std::max({extent.x, extent.y, extent.z});
}

/// Extends a box slightly, because points on its upper faces would count as outside.
Bounds padded(Bounds fence) {
    const double longest = longestEdge(fence);
    double pad = longest > 0 ? 1e-3 * longest : 0.5;
    for (int axis = 0; axis < 3; ++axis) // far from the origin, the margin must exceed the rounding
        pad = std::max(pad, 1e-15 * std::max(std::abs(fence.min[axis]), std::abs(fence.max[axis])));
    return {fence.min - Vec3d{pad, pad, pad}, fence.max + Vec3d{pad, pad, pad}};
}

/// Clips a box to the limits of the parameter `range`. @throws EngineError if nothing is left
Bounds withinLimits(Bounds box) {
    const Parameter& range = parameter("range");
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::max(box.min[axis], range.min);
        box.max[axis] = std::min(box.max[axis], range.max);
        if (!(box.min[axis] < box.max[axis]))
            throw EngineError(fmt::format("The coordinates of the scan are larger than {:g}.", range.max),
                              "Check them with 'scanloupe-cli info'; the file is probably damaged.");
    }
    return box;
}

/// Whether the position is within the limits of the parameter `sensor`; false for NaN.
bool isWithinLimits(Vec3d sensor) {
    const double most = parameter("sensor").max;
    return std::abs(sensor.x) <= most && std::abs(sensor.y) <= most && std::abs(sensor.z) <= most;
}

/// Clips a given range that extends far beyond all points, because single precision could not distinguish the
/// points relative to the ends of such a range.
Bounds cutToPoints(Bounds range, const Bounds& points) {
    constexpr double farBeyond = 100; // multiple of the cloud's extent
    const Bounds rim = padded(points);
    const double most = farBeyond * longestEdge(rim);
    for (int axis = 0; axis < 3; ++axis) {
        const Bounds asked = range;
        if (asked.min[axis] < rim.min[axis] - most && rim.min[axis] < asked.max[axis])
            range.min[axis] = rim.min[axis];
        if (asked.max[axis] > rim.max[axis] + most && rim.max[axis] > asked.min[axis])
            range.max[axis] = rim.max[axis];
    }
    return range;
}

bool contains(const Bounds& box, Vec3d p) {
    return p.x >= box.min.x && p.x < box.max.x && p.y >= box.min.y && p.y < box.max.y && p.z >= box.min.z &&
           p.z < box.max.z;
}

/// Returns the number of points of the scan per point of the sample.
double shareOf(std::span<const Vec3d> sample, const PointCloud& cloud) {
    return sample.empty() ? 1 : double(cloud.size()) / double(sample.size());
}

/// Returns the points of a sample inside a range.
std::vector<Vec3d> inside(std::span<const Vec3d> sample, const Bounds& range) {
    std::vector<Vec3d> points;
    points.reserve(sample.size()); // nearly all points are inside
    std::copy_if(sample.begin(), sample.end(), std::back_inserter(points),
                 [&](Vec3d p) { return contains(range, p); });
    return points;
}

/// Returns the voxel size for a given range, estimated from the points in it, which may fill only a small
/// part of the range. @param whole voxel size for all points
double voxelSizeIn(const Bounds& range, std::span<const Vec3d> sample, const PointCloud& cloud, double whole,
                   const std::stop_token& stop) {
    const std::vector<Vec3d> points = inside(sample, range);
    const double share = shareOf(sample, cloud);
    const Bounds filled = points.empty() ? range : padded(robustBounds(range, points, stop));
    const double chosen = chooseVoxelSize(points, range, longestEdge(filled), share, cloud.size(), stop);
    const double voxels = estimateVoxels(points, range.min, whole > 0 ? whole : chosen, stop);
    return steadyVoxelSize(chosen, whole, double(points.size()) * share / std::max(voxels, 1.0));
}

bool hasTriple(const PointCloud& cloud, const char* x, const char* y, const char* z) {
    return cloud.attribute(x) && cloud.attribute(y) && cloud.attribute(z);
}

/// Whether the points look as if they were scanned from the file's origin: in most directions, all points
/// have about the same distance. Small scans are excluded, because an object around its origin looks the same
/// although it was scanned from outside.
bool seenFromOrigin(std::span<const Vec3d> points, const Bounds& range, const std::stop_token& stop) {
    constexpr double smallest = 5;      // minimum extent, metres: larger than an object
    constexpr std::size_t enough = 300; // minimum number of directions with points
    // bins of a few points each, at least one degree wide
    const int up = std::clamp(int(std::sqrt(double(points.size()) / 4)), 8, 180), around = 2 * up;
    if (longestEdge(range) < smallest || !contains(range, Vec3d{}))
        return false;
    // The bits of positive floats have the same order as the distances.
    struct Ray {
        std::atomic<std::uint32_t> nearest = ~0u, farthest = 0, count = 0;
    };
    std::vector<Ray> rays(std::size_t(around) * std::size_t(up));
    parallelFor(points.size(), kDefaultsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (const Vec3d& p : points.subspan(begin, end - begin)) {
            const double distance = norm(p);
            if (!contains(range, p) || !(distance > 0))
                continue;
            const auto part = [](double share, int parts) {
                return std::size_t(std::clamp(int(share * parts), 0, parts - 1));
            };
            const double turn = 2 * std::numbers::pi;
            Ray& ray = rays[part(std::acos(std::clamp(p.z / distance, -1.0, 1.0)) / std::numbers::pi, up) *
                                std::size_t(around) +
                            part(std::atan2(p.y, p.x) / turn + 0.5, around)];
            const auto d = std::bit_cast<std::uint32_t>(float(distance));
            std::uint32_t known = ray.nearest;
            while (d < known && !ray.nearest.compare_exchange_weak(known, d)) {
            }
            known = ray.farthest;
            while (d > known && !ray.farthest.compare_exchange_weak(known, d)) {
            }
            ++ray.count;
        }
    });
    std::size_t seen = 0, single = 0;
    for (const Ray& ray : rays) {
        if (ray.count < 2)
            continue;
        ++seen;
        single +=
            std::bit_cast<float>(ray.farthest.load()) <= 1.25f * std::bit_cast<float>(ray.nearest.load());
    }
    return seen >= enough && double(single) >= 0.7 * double(seen);
}

/// Returns the number of points with finite coordinates outside a range.
std::uint64_t pointsOutside(const PointCloud& cloud, const Bounds& range, const std::stop_token& stop) {
    if (contains(range, cloud.bounds().min) && contains(range, cloud.bounds().max))
        return 0;
    return parallelReduce(
        cloud.size(), 1 << 16, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d p = cloud.position(i);
                count += isFinite(p) && !contains(range, p);
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

} // namespace

DataDefaults defaultsFor(const PointCloud& cloud, const std::stop_token& stop) {
    constexpr double kPointsAcrossVoxel = 2;
    const std::vector<Vec3d> sample = samplePoints(cloud, stop);
    if (sample.empty())
        throw EngineError("The scan contains no point with finite coordinates.",
                          "Use another file, or inspect this one with 'scanloupe-cli info'.");
    DataDefaults defaults;
    defaults.range = withinLimits(padded(robustBounds(cloud.bounds(), sample, stop)));
    defaults.outliers = pointsOutside(cloud, defaults.range, stop);
    const std::vector<Vec3d> points = inside(sample, defaults.range);
    double size = chooseVoxelSize(points, defaults.range, longestEdge(defaults.range), shareOf(sample, cloud),
                                  cloud.size(), stop);
    if (cloud.viewSpacing > 0) // distant points of a view are sparser, and the view shows less of them
        size = std::min(size, kPointsAcrossVoxel * cloud.viewSpacing);
    defaults.voxelSize = {size, size, size};
    const bool eachPoint = hasTriple(cloud, "normal_x", "normal_y", "normal_z") ||
                           hasTriple(cloud, "sensor_x", "sensor_y", "sensor_z");
    if (cloud.sensor && isWithinLimits(cloud.sensor->position))
        defaults.sensor = cloud.sensor->position;
    if (!defaults.sensor && !eachPoint && seenFromOrigin(sample, defaults.range, stop)) {
        defaults.sensor = Vec3d{};
        defaults.sensorGuessed = true;
    }
    defaults.sideKnown = defaults.sensor || eachPoint;
    if (!defaults.sideKnown) {
        const bool isOfView = cloud.viewSpacing > 0;
        // factor on the number of voxels, since most distant voxels are not significant
        const double more = isOfView ? 4 : 1;
        const double occupied = estimateVoxels(points, defaults.range.min, size, stop) / more;
        defaults.surface = measureSurfaceShare(points, defaults.range.min, size, occupied, stop);
        defaults.surface.isOfView = isOfView;
    }
    const bool isSurface = defaults.sideKnown || defaults.surface.isSurface();
    defaults.field = isSurface ? FieldKind::signedDistance : FieldKind::occupancy;
    defaults.up = guessUp(cloud, points, defaults.range);
    return defaults;
}

Recipe forAnotherScan(Recipe recipe, bool isVolume) {
    recipe.rangeMin = recipe.rangeMax = recipe.outerMin = recipe.outerMax = recipe.voxelSize = std::nullopt;
    recipe.rangeRotation = Recipe{}.rangeRotation;
    recipe.rangeInverted = Recipe{}.rangeInverted;
    recipe.section = std::nullopt;
    recipe.colourLow = recipe.colourHigh = std::nullopt;
    recipe.field = std::nullopt;
    recipe.sensor = std::nullopt; // the sensor of the other scan was elsewhere
    recipe.up = std::nullopt;
    recipe.radius = recipe.iso = std::nullopt;
    recipe.inside = Recipe{}.inside;                               // only meaningful with the iso-value
    recipe.minComponentTriangles = Recipe{}.minComponentTriangles; // chosen for the surface of the previous
                                                                   // scan
    recipe.decimateTo = Recipe{}.decimateTo;
    recipe.tolerance = Recipe{}.tolerance;
    recipe.pointExtent = Recipe{}.pointExtent; // a length in metres, which depends on the size of the scan
    recipe.camera = std::nullopt;
    const bool isCompared = comparingLayer(recipe.edits) || colourModeOf(recipe.colourBy).isOfDeviations;
    if (isCompared && recipe.colourMap == ColourMapName::coolWarm) // the comparison has set this colour map
        recipe.colourMap = Recipe{}.colourMap;
    recipe.edits = {};
    const ColourData data = colourModeOf(recipe.colourBy).data;
    if (data != ColourData::none && (data != ColourData::voxelValues || isVolume))
        recipe.colourBy = Recipe{}.colourBy;
    return recipe;
}

bool needsDefaults(const Recipe& recipe) {
    return !recipe.rangeMin || !recipe.rangeMax || !recipe.field || !recipe.sensor || !recipe.up ||
           !recipe.voxelSize || (recipe.rangeInverted && !recipe.outerMin);
}

Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop) {
    Recipe resolved = recipe;
    // Automatic values move with the points; explicit values refer to the moved points.
    const RigidTransform motion = wholeMotion(recipe.edits.layers);
    if (!resolved.rangeMin || !resolved.rangeMax) {
        const Bounds range = boxAfter(motion, defaults.range);
        resolved.rangeMin = range.min;
        resolved.rangeMax = range.max;
        if (!resolved.voxelSize)
            resolved.voxelSize = defaults.voxelSize;
    } else {
        const Bounds range =
            cutToPoints({*resolved.rangeMin, *resolved.rangeMax}, boxAfter(motion, cloud.bounds()));
        resolved.rangeMin = range.min;
        resolved.rangeMax = range.max;
        if (!resolved.voxelSize) {
            std::vector<Vec3d> sample = samplePoints(cloud, stop);
            std::ranges::transform(sample, sample.begin(), motion);
            const double size = voxelSizeIn(range, sample, cloud, defaults.voxelSize.x, stop);
            resolved.voxelSize = Vec3d{size, size, size};
        }
    }
    if (!resolved.field)
        resolved.field = defaults.field;
    if (!resolved.sensor && defaults.sensor)
        resolved.sensor = motion(*defaults.sensor);
    if (!resolved.radius) {
        const double longest =
            std::max({resolved.voxelSize->x, resolved.voxelSize->y, resolved.voxelSize->z});
        const double most = parameter("radius").max;
        resolved.radius = *resolved.field == FieldKind::occupancy ? 0 : std::min(2 * longest, most);
    }
    if (!resolved.up)
        resolved.up = turnedAxis(defaults.up.up, motion);
    if (resolved.rangeInverted && !resolved.outerMin) {
        const Bounds range = rangeBoxOf(resolved).bounds();
        const Bounds all = boxAfter(motion, defaults.range);
        resolved.outerMin = min(all.min, range.min);
        resolved.outerMax = max(all.max, range.max);
    }
    const bool lacksDeviations = colourModeOf(resolved.colourBy).isOfDeviations &&
                                 !comparingLayer(resolved.edits) && !cloud.attribute(kDeviationAttribute);
    if (resolved.colourBy == "auto" || lacksDeviations)
        resolved.colourBy = hasRgb(cloud, stop) ? "rgb" : "height";
    return resolved;
}

} // namespace scanloupe
