// Lists the information that a cloud loses in a format, in sentences.
#include "engine/io/file_kind.h"
#include "engine/io/las_plan.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

using Sentences = std::vector<std::string>;

/// The KITTI format holds exactly four floats a point.
void addKittiBinLosses(const PointCloud& cloud, Sentences& losses) {
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

constexpr char kNoCrsName[] = "the name of the coordinate system is left out";

void addLasLosses(const PointCloud& cloud, Sentences& losses, const std::stop_token& stop) {
    const detail::LasPlan plan = detail::planLas(cloud, stop);
    if (plan.points < cloud.size())
        losses.push_back(
            fmt::format("LAS has no way to say that a point has no coordinates; left out: {} points",
                        cloud.size() - plan.points));
    const Vec3d steps = plan.frame.scale;
    if (!plan.frame.exact)
        losses.push_back(
            fmt::format("LAS holds coordinates in steps; they are rounded to {:.2g}, {:.2g} and {:.2g}",
                        steps.x, steps.y, steps.z));
    losses.insert(losses.end(), plan.losses.begin(), plan.losses.end());
    const bool namesCrs =
        std::any_of(plan.vlrs.begin(), plan.vlrs.end(), [](const auto& record) { return record->isCrs(); });
    if (!cloud.coordinateSystem.empty() && !namesCrs)
        losses.push_back(kNoCrsName);
}

/// The CRS name, and metadata of LAS headers and VLRs.
void addLasMetadataLosses(const PointCloud& cloud, Sentences& losses) {
    if (!cloud.coordinateSystem.empty())
        losses.push_back(kNoCrsName);
    if (const auto names = lasMetadataNames(cloud); !names.empty())
        losses.push_back(fmt::format("what LAS says beside points is left out: {}", fmt::join(names, ", ")));
}

/// PLY has no 64-bit integers.
void addPlyLosses(const PointCloud& cloud, Sentences& losses) {
    constexpr double exact = 9007199254740992.0; // 2^53
    for (const Attribute& attribute : cloud.attributes()) {
        const bool wide = attribute.type == ScalarType::int64 || attribute.type == ScalarType::uint64;
        if (wide && (attribute.max >= exact || attribute.min <= -exact)) // beyond, limits are rounded, too
            losses.push_back(
                fmt::format("PLY has no integers of 64 bits; '{}' is rounded to double", attribute.name));
    }
}

/// Only PCD stores the sensor pose. The identity pose is the default of other formats, and not a loss.
void addSensorPoseLoss(const PointCloud& cloud, Sentences& losses) {
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
        addKittiBinLosses(cloud, losses);
    else if (las)
        addLasLosses(cloud, losses, stop);
    else if (ending == ".ply")
        addPlyLosses(cloud, losses);
    if (ending != ".pcd")
        addSensorPoseLoss(cloud, losses);
    if (!las)
        addLasMetadataLosses(cloud, losses);
    return losses;
}

} // namespace scanloupe
