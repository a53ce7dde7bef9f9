// Writes clouds as KITTI sweeps, with four floats per point.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/cloud_rows.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/kitti_bin/write_kitti_bin.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::detail {

namespace {

/// Whether single precision would damage the coordinates: it rounds them by more than 1 mm, or by more than a
/// thousandth of the cloud's size. Smaller losses occur even in clouds with an origin, see roundedOrigin().
bool needsDouble(const PointCloud& cloud) {
    if (coordinateType(cloud) == ScalarType::float32)
        return false;
    constexpr double halfStep = 1.0 / (1 << 24); // relative rounding error of single precision
    const Vec3d origin = cloud.origin(), size = cloud.bounds().max - cloud.bounds().min;
    const double loss = halfStep * std::max({std::abs(origin.x), std::abs(origin.y), std::abs(origin.z)});
    return loss > std::min(1e-3, 1e-3 * std::max({size.x, size.y, size.z}));
}

} // namespace

void writeKittiBinCloud(std::ostream& stream, const CloudJob& job) {
    if (needsDouble(job.cloud))
        throw EngineError(fmt::format("a .bin sweep has single precision only, which is not sufficient for "
                                      "coordinates near {:.0f}, {:.0f}, {:.0f}",
                                      job.cloud.origin().x, job.cloud.origin().y, job.cloud.origin().z),
                          "Write the cloud as .ply, .pcd or .csv.");
    const Attribute* intensity = job.cloud.attribute("intensity");
    ProgressMeter meter(job.options.progress, job.cloud.size());
    writePieces(stream, job.cloud.size(), kCloudPiece, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        appendRaw(out, job.cloud.position(i).as<float>());
                        appendRaw(out, intensity ? static_cast<float>(intensity->value(i)) : 0.0f);
                    }
                });
}

void addKittiBinLosses(const PointCloud& cloud, const std::stop_token&, std::vector<std::string>& losses) {
    std::vector<std::string> dropped;
    for (const Attribute& attribute : cloud.attributes())
        if (attribute.name != "intensity")
            dropped.push_back(attribute.name);
    if (!dropped.empty())
        losses.push_back(
            fmt::format(".bin can only store x, y, z and intensity; left out: {}", fmt::join(dropped, ", ")));
    if (!std::holds_alternative<FloatPositions>(cloud.positions()))
        losses.push_back(".bin has single precision only; coordinates are rounded");
}

} // namespace scanloupe::detail
