#pragma once
// Poses of scans, and the files that people keep them in.
#include "engine/io/input_file.h"
#include "kernels/core/rigid_transform.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// One pose a scan, T_world_scan.
struct Trajectory {
    std::vector<RigidTransform> poses;
    std::vector<double> stamps; ///< seconds, one a pose; empty when nothing tells them
};

enum class PoseFormat {
    kitti, ///< a line a scan: the upper three rows of the matrix, row by row, 12 numbers
    tum,   ///< a line a scan: time tx ty tz qx qy qz qw
};

/// TUM for the ending .tum, else KITTI.
PoseFormat poseFormatFor(const std::filesystem::path& path);

/// Reads KITTI or TUM poses, told by the numbers in a line; four lines of four numbers are one pose as a
/// matrix. Blank lines and those that begin with # are passed over. A rotation that was rounded is made a
/// rotation again. @throws EngineError with the line that is wrong and what to do.
Trajectory readTrajectory(const std::filesystem::path& path);

/// Whether a file is one of poses and nothing else: all of its lines read as such, and times rise from line
/// to line. What can't be read is none.
bool holdsPoses(const InputFile& file);

/// Writes so that reading gives the same numbers again, but for TUM's quaternions, which lose the last
/// digits. Without stamps TUM gets 0, 1, 2, ... @throws EngineError; Cancelled
void writeTrajectory(const std::filesystem::path& path, const Trajectory& trajectory, PoseFormat format,
                     const std::stop_token& stop = {});

} // namespace scanloupe
