#pragma once
// Declares trajectories, the poses of scans, and the reader and the writer of their files.
#include "engine/io/common/input_file.h"
#include "kernels/core/rigid_transform.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A pose for each scan, T_world_scan.
struct Trajectory {
    std::vector<RigidTransform> poses;
    std::vector<double> stamps; ///< seconds, one per pose; empty if unknown
};

enum class PoseFormat {
    kitti, ///< one line per scan: the upper three rows of the matrix, row by row, 12 numbers
    tum,   ///< one line per scan: time tx ty tz qx qy qz qw
};

/// Returns TUM for the extension .tum, otherwise KITTI.
PoseFormat poseFormatFor(const std::filesystem::path& path);

/// Reads KITTI or TUM poses, distinguished by the count of numbers in a line; four lines of four numbers are
/// one pose as a matrix. Blank lines and those that begin with # are skipped. Rounded rotations are
/// orthonormalized. @throws EngineError with the invalid line and the next step.
Trajectory readTrajectory(const std::filesystem::path& path);

/// Whether a file contains poses only: all of its lines parse as poses, and times ascend from line to line.
/// False for unreadable files.
bool holdsPoses(const InputFile& file);

/// Writes numbers that are read back unchanged, except for TUM's quaternions, which lose the last digits.
/// Without stamps TUM gets 0, 1, 2, ... @throws EngineError; Cancelled
void writeTrajectory(const std::filesystem::path& path, const Trajectory& trajectory, PoseFormat format,
                     const std::stop_token& stop = {});

} // namespace scanloupe
