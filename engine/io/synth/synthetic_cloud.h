#pragma once
// Declares point clouds of simulated lidar scans, drives that are divided into frames, and sweeps of real
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

/// Names of synth::Scene in options and documents.
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

/// A simulated scan that is divided into frames, like the data of a vehicle-mounted lidar.
struct SyntheticDrive {
    synth::ScanParams params; ///< parameters of the whole drive; each frame is one revolution
    std::uint64_t frames = 1;

    /// Each frame has at least `framePoints` points, rounded up to whole columns of the scanner. The numbers
    /// of points in `params` are ignored. @throws KernelError if the generator does not support this number
    /// of points.
    SyntheticDrive(synth::ScanParams params, std::uint64_t frames, std::uint64_t framePoints);

    /// Returns T_scene_frame: the pose of the sensor in the middle of the frame, with x forward.
    RigidTransform pose(std::uint64_t frame) const;
    /// Returns the motion-compensated points of a frame, in the sensor's frame at pose(). @throws as
    /// syntheticCloud()
    PointCloud cloud(std::uint64_t frame, bool normals, const std::stop_token& stop) const;
};

/// Returns the sweeps of a drive with constant velocity, starting with `first`: one frame per revolution.
/// @throws KernelError for no frames, or more than 10,000
std::vector<synth::LidarSweep> driveSweeps(const synth::LidarSweep& first, std::uint64_t frames);

/// Generates a sweep as a cloud in the sensor's frame, with the attributes of syntheticCloud().
/// @throws KernelError as synth::generateSweep; Cancelled.
PointCloud sweepCloud(const synth::LidarSweep& sweep, const synth::SolidScene& scene, bool normals,
                      const std::stop_token& stop);

} // namespace scanloupe
