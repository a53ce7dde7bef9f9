#include "engine/pipeline/defaults.h"

#include "engine/cloud/error.h"
#include "engine/pipeline/colouring.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kSample = 1'000'000; // enough to see density, and quick
constexpr double kWantedVoxels = 300'000;
constexpr double kWantedPointsPerVoxel = 3; // so that a small scan's voxels touch each other
constexpr std::size_t kFewPoints = 1000;    // below this, a voxel a point is fine

/// Every n-th finite point, in the file's frame.
std::vector<Vec3d> samplePoints(const PointCloud& cloud, const std::stop_token& stop) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / kSample);
    std::vector<Vec3d> sample(cloud.size() / stride);
    parallelFor(sample.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample[i] = cloud.position(i * stride);
    });
    std::erase_if(sample, [](Vec3d p) { return !isFinite(p); });
    return sample;
}

/// The bounds without what lies farther out than the width of the middle 99 % on either side.
Bounds robustBounds(const PointCloud& cloud, std::span<const Vec3d> sample) {
    Bounds fence;
    Vec3d low, high;
    std::vector<double> values(sample.size());
    for (int axis = 0; axis < 3; ++axis) {
        std::transform(sample.begin(), sample.end(), values.begin(), [axis](Vec3d p) { return p[axis]; });
        const auto quantile = [&](double q) {
            const auto at = values.begin() + std::llround(q * double(values.size() - 1));
            std::nth_element(values.begin(), at, values.end());
            return *at;
        };
        low[axis] = quantile(0.005);
        high[axis] = quantile(0.995);
    }
    const double thinnest = 0.05 * norm(high - low); // a flat scan's noise is no outlier
    for (int axis = 0; axis < 3; ++axis) {
        const double width = std::max(high[axis] - low[axis], thinnest);
        fence.min[axis] = std::max(cloud.bounds().min[axis], low[axis] - width);
        fence.max[axis] = std::min(cloud.bounds().max[axis], high[axis] + width);
    }
    return fence;
}

/// A box around `fence` that holds points on its upper faces too.
Bounds padded(Bounds fence) {
    const Vec3d extent = fence.max - fence.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const double pad = longest > 0 ? 1e-3 * longest : 0.5;
    return {fence.min - Vec3d{pad, pad, pad}, fence.max + Vec3d{pad, pad, pad}};
}

bool contains(const Bounds& box, Vec3d p) {
    return p.x >= box.min.x && p.x < box.max.x && p.y >= box.min.y && p.y < box.max.y && p.z >= box.min.z &&
           p.z < box.max.z;
}

/// How many voxels of edge `size` the points occupy, by linear counting: Whang, Vander-Zanden, Taylor, "A
/// linear-time probabilistic counting algorithm for database applications", 1990.
double estimateVoxels(std::span<const Vec3d> points, Vec3d origin, double size) {
    constexpr std::size_t bits = std::size_t{1} << 22;
    std::vector<std::uint64_t> seen(bits / 64);
    for (const Vec3d& p : points) {
        const auto cell = [&](int axis) {
            return std::uint64_t(std::int64_t((p[axis] - origin[axis]) / size));
        };
        std::uint64_t hash = (cell(2) * 0x9e3779b97f4a7c15u + cell(1)) * 0x9e3779b97f4a7c15u + cell(0);
        hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 29;
        seen[(hash % bits) / 64] |= std::uint64_t{1} << (hash % 64);
    }
    std::size_t set = 0;
    for (const std::uint64_t word : seen)
        set += std::size_t(__builtin_popcountll(word));
    const double empty = std::max(1.0, double(bits - set));
    return -double(bits) * std::log(empty / double(bits));
}

/// The smallest tidy size (1, 1.2, 1.5, 2, ... times a power of ten) whose voxels are few and full enough.
double chooseVoxelSize(std::span<const Vec3d> points, const Bounds& range, std::size_t cloudSize) {
    constexpr std::array mantissas{1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
    const Vec3d extent = range.max - range.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    std::vector<double> sizes;
    for (int exponent = int(std::floor(std::log10(longest))) - 5;
         exponent <= int(std::ceil(std::log10(longest))); ++exponent) {
        for (const double mantissa : mantissas) {
            // dividing by a power of ten gives the double that is nearest to the decimal number
            const double size =
                exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
            if (size <= longest)
                sizes.push_back(size);
        }
    }
    std::vector<Vec3d> inside;
    std::copy_if(points.begin(), points.end(), std::back_inserter(inside),
                 [&](Vec3d p) { return contains(range, p); });
    const double pointsPerVoxel =
        inside.size() < kFewPoints || cloudSize > 2 * points.size() ? 1 : kWantedPointsPerVoxel;
    const auto good = [&](double size) {
        const double voxels = estimateVoxels(inside, range.min, size);
        return voxels <= kWantedVoxels && double(inside.size()) >= pointsPerVoxel * voxels;
    };
    const auto found =
        std::partition_point(sizes.begin(), sizes.end() - 1, [&](double size) { return !good(size); });
    return *found;
}

bool hasTriple(const PointCloud& cloud, const char* x, const char* y, const char* z) {
    return cloud.attribute(x) && cloud.attribute(y) && cloud.attribute(z);
}

/// Whether points lie around the file's origin as a scanner there sees them: in most directions at one
/// distance only. Small scans are of objects, which lie around their origin too and are seen from outside.
bool seenFromOrigin(std::span<const Vec3d> points, const Bounds& range) {
    constexpr double smallest = 5;      // metres: of what is no object
    constexpr std::size_t enough = 300; // directions
    // a few points in each, and no finer than a degree
    const int up = std::clamp(int(std::sqrt(double(points.size()) / 4)), 8, 180), around = 2 * up;
    const Vec3d extent = range.max - range.min;
    if (std::max({extent.x, extent.y, extent.z}) < smallest || !contains(range, Vec3d{}))
        return false;
    struct Ray {
        float nearest = 0, farthest = 0;
        int count = 0;
    };
    std::vector<Ray> rays(std::size_t(around) * std::size_t(up));
    for (const Vec3d& p : points) {
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
        const auto d = float(distance);
        ray.nearest = ray.count == 0 ? d : std::min(ray.nearest, d);
        ray.farthest = std::max(ray.farthest, d);
        ++ray.count;
    }
    std::size_t seen = 0, single = 0;
    for (const Ray& ray : rays) {
        if (ray.count < 2)
            continue;
        ++seen;
        single += ray.farthest <= 1.25f * ray.nearest;
    }
    return seen >= enough && double(single) >= 0.7 * double(seen);
}

} // namespace

DataDefaults defaultsFor(const PointCloud& cloud, const std::stop_token& stop) {
    const std::vector<Vec3d> sample = samplePoints(cloud, stop);
    if (sample.empty())
        throw EngineError("The scan has no point with finite coordinates.",
                          "Take another file, or look at this one with 'scanloupe-cli info'.");
    DataDefaults defaults;
    defaults.range = padded(robustBounds(cloud, sample));
    defaults.outliers = parallelReduce(
        cloud.size(), 1 << 16, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3d p = cloud.position(i);
                count += isFinite(p) && !contains(defaults.range, p);
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    const double size = chooseVoxelSize(sample, defaults.range, cloud.size());
    defaults.voxelSize = {size, size, size};
    const bool eachPoint = hasTriple(cloud, "normal_x", "normal_y", "normal_z") ||
                           hasTriple(cloud, "sensor_x", "sensor_y", "sensor_z");
    defaults.sensor = cloud.sensor;
    if (!defaults.sensor && !eachPoint && seenFromOrigin(sample, defaults.range)) {
        defaults.sensor = Vec3d{};
        defaults.sensorGuessed = true;
    }
    defaults.field = defaults.sensor || eachPoint ? FieldKind::signedDistance : FieldKind::occupancy;
    return defaults;
}

Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop) {
    Recipe resolved = recipe;
    if (!resolved.rangeMin || !resolved.rangeMax) {
        resolved.rangeMin = defaults.range.min;
        resolved.rangeMax = defaults.range.max;
        if (!resolved.voxelSize)
            resolved.voxelSize = defaults.voxelSize;
    } else if (!resolved.voxelSize) {
        const double size = chooseVoxelSize(samplePoints(cloud, stop),
                                            {*resolved.rangeMin, *resolved.rangeMax}, cloud.size());
        resolved.voxelSize = Vec3d{size, size, size};
    }
    if (!resolved.field)
        resolved.field = defaults.field;
    if (!resolved.sensor)
        resolved.sensor = defaults.sensor;
    if (!resolved.radius) {
        const double longest =
            std::max({resolved.voxelSize->x, resolved.voxelSize->y, resolved.voxelSize->z});
        resolved.radius = *resolved.field == FieldKind::occupancy ? 0 : 2 * longest;
    }
    if (resolved.colourBy == "auto")
        resolved.colourBy = hasRgb(cloud) ? "rgb" : "height";
    return resolved;
}

} // namespace scanloupe
