#pragma once
// Several scans, each with its pose, as one cloud.
#include "engine/cloud/point_cloud.h"
#include "engine/io/progress.h"
#include "kernels/core/rigid_transform.h"

#include <memory>
#include <span>

namespace scanloupe {

/// The attribute of a merged cloud that tells which scan a point comes from, from 0 on.
inline constexpr const char* kScanAttribute = "scan";

/// A scan where it belongs.
struct PosedCloud {
    std::shared_ptr<const PointCloud> cloud;
    RigidTransform pose; ///< T_world_scan
};

/// All points in the world's frame, scan by scan, with the attributes that all scans have, normals turned
/// with their scan, where each point's sensor was when that is known of all scans, and the number of the
/// scan. What is left out or rounded is told in the cloud's warnings, and so are scans that name different
/// coordinate systems. Coordinates are float where all scans hold them so and lose less than a decimal digit
/// where they are put, else double.
/// @throws EngineError when there is no scan or memory would not do; Cancelled.
PointCloud mergeClouds(std::span<const PosedCloud> scans, const ProgressFunction& progress,
                       const std::stop_token& stop);

} // namespace scanloupe
