// What a cloud loses in a format, in sentences.
#include "engine/io/file_kind.h"
#include "engine/io/las_frame.h"
#include "engine/io/writers.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

using Sentences = std::vector<std::string>;

/// KITTI's format holds four floats a point, whatever the cloud has.
void sayOfSweep(const PointCloud& cloud, Sentences& losses) {
    std::vector<std::string> dropped;
    for (const Attribute& attribute : cloud.attributes())
        if (attribute.name != "intensity")
            dropped.push_back(attribute.name);
    if (!dropped.empty())
        losses.push_back(
            fmt::format(".bin holds x, y, z and intensity only; left out: {}", fmt::join(dropped, ", ")));
    if (!std::holds_alternative<FloatPositions>(cloud.positions()))
        losses.push_back(".bin holds single precision; coordinates are rounded to it");
}

void sayOfLas(const PointCloud& cloud, Sentences& losses, const std::stop_token& stop) {
    if (cloud.notFinite() > 0)
        losses.push_back(fmt::format(
            "LAS has no way to say that a point has no coordinates; left out: {} points", cloud.notFinite()));
    const detail::LasFrame frame = detail::lasFrame(cloud, stop);
    if (!frame.exact)
        losses.push_back(
            fmt::format("LAS holds coordinates in steps; they are rounded to {:.2g}, {:.2g} and {:.2g}",
                        frame.scale.x, frame.scale.y, frame.scale.z));
}

/// PLY has no integers of 64 bits.
void sayOfPly(const PointCloud& cloud, Sentences& losses) {
    constexpr double exact = 9007199254740992.0; // 2^53
    for (const Attribute& attribute : cloud.attributes()) {
        const bool wide = attribute.type == ScalarType::int64 || attribute.type == ScalarType::uint64;
        if (wide && (attribute.max >= exact || attribute.min <= -exact)) // limits beyond are rounded, too
            losses.push_back(
                fmt::format("PLY has no integers of 64 bits; '{}' is rounded to double", attribute.name));
    }
}

/// Only PCD says where the sensor stood. At the origin and not turned it goes without saying.
void sayOfSensor(const PointCloud& cloud, Sentences& losses) {
    if (!cloud.sensor || *cloud.sensor == SensorPose{})
        return;
    losses.push_back(cloud.sensor->rotation == Quaternion{}
                         ? "the position of the sensor is left out"
                         : "the position and the rotation of the sensor are left out");
}

} // namespace

Sentences cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                      const std::stop_token& stop) {
    Sentences losses;
    const std::string ending = lowerEnding(target);
    const bool las = ending == ".las" || ending == ".laz";
    if (ending == ".bin")
        sayOfSweep(cloud, losses);
    else if (las)
        sayOfLas(cloud, losses, stop);
    else if (ending == ".ply")
        sayOfPly(cloud, losses);
    if (ending != ".pcd")
        sayOfSensor(cloud, losses);
    const bool wkt = cloud.coordinateSystem.find('[') != std::string::npos;
    if (!cloud.coordinateSystem.empty() && !(las && (wkt || !cloud.systemRecords.empty())))
        losses.push_back("the name of the coordinate system is left out");
    return losses;
}

} // namespace scanloupe
