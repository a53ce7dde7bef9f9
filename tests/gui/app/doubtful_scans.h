#pragma once
// Sweeps of a lidar in places that do not determine a pose, for tests of the window.
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "kernels/synth/lidar_sweep.h"

#include <QString>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::test {

/// Pose of a sensor.
struct SensorStand {
    Vec3d at;       ///< metres; the place extends along x
    double yaw = 0; ///< radians
};
/// Sensor poses of the two scans of a place. An alignment of the second one starts a metre and 2 degrees off.
inline constexpr SensorStand kDoubtfulStands[] = {{{0, 0, 1.2}, 0}, {{1, 0.1, 1.2}, 0.03}};

/// Writes doubtful1.ply and doubtful2.ply, the sweeps of a place from both stands, each in the frame of its
/// sensor. @throws as writeCloud()
inline void writeDoubtfulScans(const QString& folder, synth::Place place) {
    const synth::SolidScene scene = makePlace(place, 1);
    synth::LidarSweep sweep;
    sweep.lidar.columns = 900;
    sweep.lidar.blocks[0] = {-25, 50.0 / 31, 32}; // rings that reach floor and ceiling
    sweep.lidar.blocks[1] = {};
    for (const SensorStand& stand : kDoubtfulStands) {
        sweep.pose = fromRollPitchYaw({0, 0, stand.yaw}, stand.at);
        std::vector<Vec3f> points;
        for (const synth::ScanPoint& point : generateSweep(sweep, scene, {}))
            points.push_back(point.position);
        const PointCloud cloud(FloatPositions{hostCopy(std::span<const Vec3f>(points))},
                               std::vector<Attribute>{}, std::stop_token{});
        const QString path = QStringLiteral("%1/doubtful%2.ply").arg(folder).arg(++sweep.frame);
        writeCloud(path.toStdString(), cloud, {}, {});
    }
}

} // namespace scanloupe::test
