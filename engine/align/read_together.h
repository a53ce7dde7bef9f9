#pragma once
// Declares reading several files as one cloud.
#include "engine/align/merge_clouds.h"
#include "engine/io/scan_cache.h"

#include <optional>

namespace scanloupe {

/// Reads some of the files of a cache and merges them at their poses. Files that can't be read are left out,
/// and the cache says why; the merged cloud's warnings say how many. The indices of kScanAttribute are those
/// of the cache.
/// @param poses T_world_scan, one a file; none: it is left out
/// @throws EngineError when no file can be read, or as mergeClouds(); Cancelled.
PointCloud readTogether(ScanCache& files, std::span<const std::optional<RigidTransform>> poses,
                        const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
