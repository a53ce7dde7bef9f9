#pragma once
// Merges several scans, each with its pose, into one cloud.
#include "engine/io/common/progress.h"
#include "kernels/core/rigid_transform.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

namespace scanloupe {

class PointCloud;

/// The attribute of a merged cloud with the index of each point's scan, from 0 on.
inline constexpr const char* kScanAttribute = "scan";

/// A scan and its pose.
struct PosedCloud {
    std::shared_ptr<const PointCloud> cloud; ///< null: left out; the others keep their indices
    RigidTransform pose;                     ///< T_world_scan
};

/// Sensors of scans whose files don't define them.
enum class UnknownSensors : std::uint8_t {
    areEstimated, ///< from the points, as for a single scan
    stayUnknown,
};

/// Concatenates all points in the world frame, scan by scan, with the attributes that all scans have, rotated
/// normals, the sensor position of each point if it is known for all scans, and the index of the scan. The
/// cloud's warnings name attributes that were left out or rounded, and differing coordinate systems.
/// Coordinates are float if all scans store float and lose less than a decimal digit at their poses, else
/// double.
/// @throws EngineError when there is no scan or not enough memory; Cancelled.
PointCloud mergeClouds(std::span<const PosedCloud> scans, const ProgressFunction& progress,
                       const std::stop_token& stop, UnknownSensors sensors = UnknownSensors::areEstimated);

} // namespace scanloupe
