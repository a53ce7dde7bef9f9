#pragma once
// Declares trajectories (the poses of scans), and the reader and the writer of pose files.
#include "engine/io/common/input_file.h"
#include "kernels/core/rigid_transform.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A pose T_world_scan for each scan: it maps coordinates of the scan to the world frame.
struct Trajectory {
    std::vector<RigidTransform> poses;
    std::vector<double> stamps; ///< time stamps in seconds, one per pose; empty if unknown
};

enum class PoseFormat {
    kitti, ///< one line per scan: the upper three rows of the matrix, row by row, 12 numbers
    tum,   ///< one line per scan: time tx ty tz qx qy qz qw
};

/// Returns `tum` for the extension .tum, otherwise `kitti`.
PoseFormat poseFormatFor(const std::filesystem::path& path);

/// Reads KITTI or TUM poses, which are distinguished by the number of values per line. Four lines of four
/// numbers are a single pose, as a 4 x 4 matrix. Blank lines and lines that begin with # are skipped.
/// Rotations that were rounded are orthonormalized. @throws EngineError with the invalid line and the next
/// step
Trajectory readTrajectory(const std::filesystem::path& path);

/// Returns whether a file contains poses and nothing else: all lines are valid poses, and TUM times ascend
/// from line to line. False for unreadable files.
bool holdsPoses(const InputFile& file);

/// Writes a trajectory. Reading the file returns identical numbers, except that rotations lose the last
/// digits in TUM's quaternions. A TUM file of poses without time stamps contains the times 0, 1, 2, ...
/// @throws EngineError; Cancelled
void writeTrajectory(const std::filesystem::path& path, const Trajectory& trajectory, PoseFormat format,
                     const std::stop_token& stop = {});

} // namespace scanloupe
