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

/// Name of the attribute of a merged cloud that stores the index of each point's scan, starting at 0.
inline constexpr const char* kScanAttribute = "scan";

/// A scan and its pose.
struct PosedCloud {
    std::shared_ptr<const PointCloud> cloud; ///< null: the scan is left out; the others keep their indices
    RigidTransform pose;                     ///< T_world_scan
};

/// How to choose sensor positions for scans whose files do not define them.
enum class UnknownSensors : std::uint8_t {
    areEstimated, ///< from the points of the scan, as for a single scan
    stayUnknown,
};

/// Concatenates all points in the world frame, scan by scan. The merged cloud has the attributes that all
/// scans have, rotated normals, the index of the scan, and the sensor position of each point if it is known
/// for all scans. Its warnings name attributes that were left out or rounded, and differing coordinate
/// systems. Coordinates are float if all scans store float and lose less than a decimal digit at their poses,
/// otherwise double.
/// @throws EngineError if there is no scan, or when out of memory; Cancelled.
PointCloud mergeClouds(std::span<const PosedCloud> scans, const ProgressFunction& progress,
                       const std::stop_token& stop, UnknownSensors sensors = UnknownSensors::areEstimated);

} // namespace scanloupe
