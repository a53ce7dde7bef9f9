#pragma once
// Declares point clouds of simulated lidar scans, drives that are cut into frames, and sweeps of real
// sensors.
#include "engine/io/common/progress.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/lidar_sweep.h"
#include "kernels/synth/scan_generator.h"

#include <array>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// PointCloud::format of a generated cloud.
inline constexpr const char* kGeneratedFormat = "generated";

/// Names of synth::Scene, as options and documents spell them.
inline constexpr std::array<const char*, 3> kSceneNames{"street", "room", "bumpy"};
/// Names of synth::Place in options.
inline constexpr std::array<const char*, 6> kPlaceNames{"street", "corridor", "cluttered",
                                                        "racks",  "room",     "field"};

/// Describes a generated scan and its parameters in words.
std::string describe(const synth::ScanParams& params);

/// Generates a scan with intensity, time, ring and sensor_x, _y, _z, and optionally the true normals.
/// @throws EngineError when it would not fit into memory; KernelError as synth::generate; Cancelled.
PointCloud syntheticCloud(const synth::ScanParams& params, bool normals, const ProgressFunction& progress,
                          const std::stop_token& stop);

/// A simulated scan cut into frames, as a vehicle-mounted lidar delivers them.
struct SyntheticDrive {
    synth::ScanParams params; ///< parameters of the whole drive; every frame is a revolution
    std::uint64_t frames = 1;

    /// Frames of at least `framePoints` points each, rounded up to whole columns of the scanner; the numbers
    /// of points in `params` are ignored. @throws KernelError when the generator can't make that number.
    SyntheticDrive(synth::ScanParams params, std::uint64_t frames, std::uint64_t framePoints);

    /// T_scene_frame: the pose of the sensor in the middle of the frame, x forward.
    RigidTransform pose(std::uint64_t frame) const;
    /// The motion-compensated points of one frame, in the sensor's frame at pose(). @throws as syntheticCloud
    PointCloud cloud(std::uint64_t frame, bool normals, const std::stop_token& stop) const;
};

/// The sweeps of a drive that continues with the twist of the first one: one frame per turn.
/// @throws KernelError for no frames, or more than ten thousand
std::vector<synth::LidarSweep> driveSweeps(const synth::LidarSweep& first, std::uint64_t frames);

/// A sweep as a cloud in the sensor's frame, with the attributes of syntheticCloud.
/// @throws KernelError as synth::generateSweep; Cancelled.
PointCloud sweepCloud(const synth::LidarSweep& sweep, const synth::SolidScene& scene, bool normals,
                      const std::stop_token& stop);

} // namespace scanloupe
