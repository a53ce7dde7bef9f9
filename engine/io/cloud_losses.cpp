// Formats messages about the parts of a cloud that a format can't store.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/formats.h"
#include "engine/io/las/las_metadata.h"
#include "engine/io/writers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

using Sentences = std::vector<std::string>;

/// Adds a message about the sensor pose. An identity pose is no loss, since it is the default of formats
/// without a pose.
void addSensorPoseLoss(const PointCloud& cloud, Sentences& losses) {
    if (!cloud.sensor || *cloud.sensor == SensorPose{})
        return;
    losses.push_back(cloud.sensor->rotation == Quaternion{}
                         ? "the position of the sensor is left out"
                         : "the position and the rotation of the sensor are left out");
}

/// Adds messages about the name of the coordinate system, and about metadata of LAS headers and VLRs.
void addLasMetadataLosses(const PointCloud& cloud, Sentences& losses) {
    if (!cloud.coordinateSystem.empty())
        losses.push_back(detail::kCrsNameLoss);
    if (const auto names = lasMetadataNames(cloud); !names.empty())
        losses.push_back(fmt::format("LAS metadata is left out: {}", fmt::join(names, ", ")));
}

} // namespace

Sentences cloudLosses(const std::filesystem::path& target, const PointCloud& cloud,
                      const std::stop_token& stop) {
    Sentences losses;
    const FileFormat* format = formatWithEnding(&FileFormat::clouds, lowerEnding(target));
    const CloudOutput output = format ? format->clouds : CloudOutput{};
    if (output.addLosses) {
        cloud.loadAll(stop); // the losses depend on the values
        output.addLosses(cloud, stop, losses);
    }
    if (!output.keepsSensor)
        addSensorPoseLoss(cloud, losses);
    if (!output.keepsLasMetadata)
        addLasMetadataLosses(cloud, losses);
    return losses;
}

} // namespace scanloupe
