#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/io/progress.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/scan_generator.h"

namespace scanloupe {

/// The format that a generated cloud tells.
inline constexpr const char* kGeneratedFormat = "generated";

/// A generated scan as a cloud with intensity, time, ring and sensor_x, _y, _z, and its true normals if
/// wanted.
/// @throws EngineError when it would not fit into memory; KernelError as synth::generate; Cancelled.
PointCloud syntheticCloud(const synth::ScanParams& params, bool normals, const ProgressFunction& progress,
                          const std::stop_token& stop);

/// A scan that was cut into frames, as a scanner on wheels delivers it.
struct SyntheticDrive {
    synth::ScanParams params; ///< of the whole; every frame is a revolution
    std::uint64_t frames = 1;

    /// Frames of at least `framePoints` points each, in whole columns of the scanner; `params` but for its
    /// numbers of points. @throws KernelError when these are more or fewer than the generator makes.
    SyntheticDrive(synth::ScanParams params, std::uint64_t frames, std::uint64_t framePoints);

    /// T_scene_frame: where the sensor is in the middle of the frame, x forward.
    RigidTransform pose(std::uint64_t frame) const;
    /// The points of one frame in the sensor's frame of pose(): as a scanner that knows its own motion has
    /// them. @throws as syntheticCloud
    PointCloud cloud(std::uint64_t frame, bool normals, const std::stop_token& stop) const;
};

} // namespace scanloupe
