#pragma once
// A drive of a spinning lidar around a block of houses that returns to its start, with its true poses.
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/lidar_sweep.h"
#include "kernels/synth/solid_scene.h"

#include <cstddef>
#include <cstdint>

namespace scanloupe::test {

struct BlockDriveParams {
    std::uint64_t seed = 1;
    Vec3d half{50, 30, 0}; ///< half extents of the closed way, metres
    std::size_t frames = 400;
    double laps = 1; ///< number of rounds of the closed way
    synth::LidarModel lidar = synth::kLidarModels[0];
    float noise = 0.01f; ///< noise along the rays, metres
};

class BlockDrive {
public:
    explicit BlockDrive(const BlockDriveParams& params);

    double length() const { return m_params.laps * m_lap; } ///< length of the drive in metres
    /// T_first_frame.
    RigidTransform truth(std::size_t frame) const;
    /// A deskewed sweep in the frame of the sensor.
    synth::LidarSweep sweep(std::size_t frame) const;
    const synth::SolidScene& scene() const { return m_scene; }

private:
    /// T_scene_sensor after `metres` along the way: straight streets, and quarters of circles at corners.
    RigidTransform poseAt(double metres) const;
    void addHouses();
    void addStreetObjects();

    BlockDriveParams m_params;
    double m_lap;
    synth::SolidScene m_scene;
};

} // namespace scanloupe::test
