// Compares two scans along their normals.
#include "engine/inspect/scan_change.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/picture/view.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"
#include "kernels/change/operators.h"
#include "kernels/core/first_occurrences.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace scanloupe {

namespace {

/// Returns the points relative to `origin`, in single precision.
Buffer<Vec3f> pointsOf(const PointCloud& cloud, Vec3d origin, const std::stop_token& stop) {
    auto points = Buffer<Vec3f>::host(cloud.size());
    parallelFor(cloud.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            points[i] = (cloud.position(i) - origin).as<float>();
    });
    return points;
}

/// Distinct core points, and the index of the representative of each core point.
struct DistinctPlaces {
    Buffer<Vec3f> places;             ///< [D]
    std::vector<std::uint32_t> which; ///< [N]

    DistinctPlaces(std::span<const Vec3f> all, const std::stop_token& stop)
        : which(firstOccurrences(
              all.size(), [&](std::size_t i) { return positionKey(all[i]); }, stop)) {
        std::vector<Vec3f> distinct;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool isFirst = which[i] == i;
            which[i] = isFirst ? std::uint32_t(distinct.size()) : which[which[i]];
            if (isFirst)
                distinct.push_back(all[i]);
        }
        places = hostCopy(std::span<const Vec3f>(distinct));
    }
};

Buffer<M3c2Change> changesAt(const Buffer<Vec3f>& places, const Buffer<Vec3f>& first,
                             const Buffer<Vec3f>& second, const M3c2Params& params, const Execution& on) {
    const auto here = [&](const Buffer<Vec3f>& points) { // copies the points to the device if one computes
        return on.onDevice() ? points.copyTo(MemorySpace::device, *on.device) : Buffer<Vec3f>();
    };
    const Buffer<Vec3f> copies[] = {here(places), here(first), here(second)};
    const Buffer<Vec3f>&at = on.onDevice() ? copies[0] : places, &one = on.onDevice() ? copies[1] : first,
          &other = on.onDevice() ? copies[2] : second;
    const Bvh treeOfOne = buildPointBvh(one, on), treeOfOther = buildPointBvh(other, on);
    Buffer<M3c2Change> changes =
        m3c2(at, {treeOfOne.view(), one.data()}, {treeOfOther.view(), other.data()}, params, on);
    return on.onDevice() ? changes.copyTo(MemorySpace::host, *on.device) : std::move(changes);
}

void summarize(ScanChange& change) {
    double sum = 0, squares = 0, detections = 0;
    for (const M3c2Change& one : change.changes.span()) {
        const auto d = double(one.distance);
        if (std::isnan(d))
            continue;
        ++change.compared;
        sum += d;
        squares += d * d;
        if (std::abs(d) > std::abs(change.largest))
            change.largest = d;
        if (std::isnan(one.detection))
            continue;
        ++change.judged;
        detections += double(one.detection);
        change.significant += std::abs(d) > double(one.detection);
    }
    if (change.compared == 0)
        return;
    const auto count = double(change.compared);
    change.mean = sum / count;
    change.standardDeviation = std::sqrt(std::max(0.0, squares / count - change.mean * change.mean));
    change.meanDetection = change.judged > 0 ? detections / double(change.judged) : 0;
}

template <class T, class Of>
Attribute attributeOf(const char* name, ScalarType type, const ScanChange& change, Of&& of) {
    Attribute attribute;
    attribute.name = name;
    attribute.type = type;
    attribute.allocate(change.changes.size());
    auto* to = reinterpret_cast<T*>(attribute.dataToFill());
    for (std::size_t i = 0; i < change.changes.size(); ++i)
        to[i] = of(change.changes[i]);
    return attribute;
}

} // namespace

ScanChangeOptions changeOptionsFor(const PointCloud& first, const std::stop_token& stop) {
    constexpr double voxels = 4, deep = 5;
    const Recipe resolved = resolve(Recipe{}, first, defaultsFor(first, stop), stop);
    const Vec3d size = *resolved.voxelSize;
    ScanChangeOptions how;
    how.params.diameter = voxels * std::max({size.x, size.y, size.z});
    how.params.normalScale = how.params.diameter;
    how.params.depth = deep * how.params.diameter;
    how.params.towards = upVector(resolved.up.value_or(UpAxis::z));
    how.cell = how.params.diameter;
    return how;
}

ScanChange scanChange(const PointCloud& first, const PointCloud& second, const ScanChangeOptions& options,
                      const Execution& on) {
    const WallTimer timer;
    const Vec3d origin = first.origin();
    const Buffer<Vec3f> one = pointsOf(first, origin, on.stop), other = pointsOf(second, origin, on.stop);
    ScanChange change;
    const std::size_t stride = chunkCount(first.size(), std::max<std::size_t>(1, options.maxPlaces));
    for (std::size_t row = 0; row < first.size(); row += std::max<std::size_t>(1, stride))
        if (isFinite(one[row]))
            change.rows.push_back(row);
    std::vector<Vec3f> places;
    for (const std::size_t row : change.rows)
        places.push_back(one[row]);
    // otherwise each of many coincident points would search among all of them
    const DistinctPlaces distinct(places, on.stop);
    const Buffer<M3c2Change> changes = orOnHost(on, [&](const Execution& where) {
        change.computedOnDevice = where.onDevice();
        return changesAt(distinct.places, one, other, options.params, where);
    });
    change.changes = Buffer<M3c2Change>::host(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        change.changes[i] = changes[distinct.which[i]];
    summarize(change);
    if (change.compared == 0)
        throw EngineError("No core point has points of both scans in its cylinder.",
                          "Align both scans first (align), or use wider or longer cylinders (--cylinder, "
                          "--depth) and normals of a larger scale (--normal-scale).");
    change.volume = cutAndFill(
        first, second, {options.cell, options.params.registrationError, options.params.towards}, on.stop);
    change.milliseconds = timer.elapsedMs();
    return change;
}

PointCloud changeCloud(const PointCloud& first, const ScanChange& change, const std::stop_token& stop) {
    DoublePositions positions{Buffer<Vec3d>::host(change.rows.size())};
    for (std::size_t i = 0; i < change.rows.size(); ++i)
        positions.xyz[i] = first.position(change.rows[i]);
    std::vector<Attribute> attributes;
    const auto add = [&](const char* name, auto&& of) {
        attributes.push_back(attributeOf<float>(name, ScalarType::float32, change, of));
    };
    add("m3c2_distance", [](const M3c2Change& c) { return c.distance; });
    add("m3c2_detection", [](const M3c2Change& c) { return c.detection; });
    attributes.push_back(
        attributeOf<std::uint8_t>("m3c2_significant", ScalarType::uint8, change, [](const M3c2Change& c) {
            return std::uint8_t(std::fabs(c.distance) > c.detection);
        }));
    attributes.push_back(attributeOf<std::uint32_t>("m3c2_count_first", ScalarType::uint32, change,
                                                    [](const M3c2Change& c) { return c.count1; }));
    attributes.push_back(attributeOf<std::uint32_t>("m3c2_count_second", ScalarType::uint32, change,
                                                    [](const M3c2Change& c) { return c.count2; }));
    PointCloud places(std::move(positions), std::move(attributes), stop);
    places.coordinateSystem = first.coordinateSystem;
    return places;
}

void requireSameUnit(LengthUnit first, const PointCloud& second) {
    const LengthUnit other = referenceOf(&second).unit;
    if (first != other)
        throw EngineError(
            fmt::format("The scans have different units: {} and {}.", unitText(first), unitText(other)),
            "Convert one of the scans first.");
}

} // namespace scanloupe
