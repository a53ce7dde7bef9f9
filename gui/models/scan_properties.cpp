// Lists the properties of a scan and the counts of a run.
#include "gui/models/scan_properties.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/volume/read_volume.h"
#include "engine/results/snapshot.h"

#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/models/stage_timing_model.h"
#include "gui/text/number_text.h"

#include <algorithm>
#include <filesystem>

namespace scanloupe::gui {

namespace {

QString coordinate(double value) {
    return QString::number(value, 'f', 3);
}

QString vectorText(Vec3d v) {
    return QStringLiteral("%1, %2, %3").arg(coordinate(v.x), coordinate(v.y), coordinate(v.z));
}

Properties cloudProperties(const PointCloud& cloud, LengthUnit unit) {
    const auto tr = [](const char* text) { return PropertyModel::tr(text); };
    Properties all{
        {tr("Format"), QString::fromStdString(cloud.format)},
        {tr("Points"), cloud.subsampledFrom > 0
                           ? tr("%1 of %2").arg(countText(cloud.size()), countText(cloud.subsampledFrom))
                           : countText(cloud.size())}};
    if (cloud.width > 0 && cloud.height > 1)
        all.push_back({tr("Organized"), QStringLiteral("%1 × %2").arg(cloud.width).arg(cloud.height)});
    if (cloud.notFinite() > 0)
        all.push_back({tr("Non-finite points"), countText(cloud.notFinite())});
    for (int axis = 0; axis < 3; ++axis)
        all.push_back(
            {QStringLiteral("xyz").mid(axis, 1),
             tr("%1 to %2").arg(coordinate(cloud.bounds().min[axis]), coordinate(cloud.bounds().max[axis]))});
    all.push_back(
        {tr("Extent, %1").arg(unitSymbol(unit)), vectorText(cloud.bounds().max - cloud.bounds().min)});
    if (norm(cloud.origin()) > 0)
        all.push_back({tr("Local origin"), QStringLiteral("%1, %2, %3")
                                               .arg(cloud.origin().x, 0, 'g', 10)
                                               .arg(cloud.origin().y, 0, 'g', 10)
                                               .arg(cloud.origin().z, 0, 'g', 10)});
    if (cloud.sensor)
        all.push_back({tr("Sensor position"), vectorText(cloud.sensor->position)});
    if (const Quaternion turned = cloud.sensor ? cloud.sensor->rotation : Quaternion{};
        turned != Quaternion{})
        all.push_back({tr("Sensor orientation"), tr("%1, %2, %3, %4 (quaternion w, x, y, z)")
                                                     .arg(turned.w, 0, 'g', 6)
                                                     .arg(turned.x, 0, 'g', 6)
                                                     .arg(turned.y, 0, 'g', 6)
                                                     .arg(turned.z, 0, 'g', 6)});
    all.push_back({tr("Memory"), bytesText(cloud.bytes())});
    return all;
}

Properties volumeProperties(const Volume& volume, LengthUnit unit) {
    const auto tr = [](const char* text) { return PropertyModel::tr(text); };
    const Vec3i dims = volume.lattice.dims;
    return {{tr("Format"), QString::fromStdString(volume.format)},
            {tr("Samples"), QStringLiteral("%1 × %2 × %3").arg(dims.x).arg(dims.y).arg(dims.z)},
            {tr("Spacing, %1").arg(unitSymbol(unit)), vectorText(volume.lattice.spacing.as<double>())},
            {tr("Memory"), bytesText(volume.values.bytes())}};
}

} // namespace

Properties scanProperties(const Snapshot& snapshot, LengthUnit unit) {
    Properties all =
        snapshot.cloud ? cloudProperties(*snapshot.cloud, unit) : volumeProperties(*snapshot.volume, unit);
    std::erase_if(all, [](const Property& p) { return p.value.isEmpty(); });
    return all;
}

Properties countProperties(const RunTimings& timings) {
    Properties all;
    for (const StageTiming& stage : timings.stages) {
        for (const auto& [key, value] : stage.counts) {
            const QString name = countName(key);
            const auto found =
                std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.name == name; });
            if (found != all.end())
                found->value = countText(value); // the count after clean-up
            else
                all.push_back({name, countText(value)});
        }
    }
    return all;
}

QString scanName(const Snapshot& snapshot) {
    const std::string& path = snapshot.cloud ? snapshot.cloud->path : snapshot.volume->path;
    if (path.empty() && snapshot.cloud && snapshot.cloud->format != kGeneratedFormat)
        return QString::fromStdString(snapshot.cloud->format); // several merged scans
    if (path.empty())
        return PropertyModel::tr("Generated scan");
    return shownText(std::filesystem::path(path).filename().string());
}

} // namespace scanloupe::gui
