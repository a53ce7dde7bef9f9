#pragma once
// Declares reading several files as one cloud.
#include "engine/align/merge_clouds.h"
#include "engine/io/scan_cache.h"

#include <optional>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads selected files of a cache and merges them at their poses. Unreadable files are left out and reported
/// by the cache; the merged cloud's warnings state their number. The values of kScanAttribute are indices in
/// the cache.
/// @param poses T_world_scan, one per file; nullopt: the file is left out @throws EngineError if no file can
///     be read, or as mergeClouds(); Cancelled.
PointCloud readTogether(ScanCache& files, std::span<const std::optional<RigidTransform>> poses,
                        const ReadOptions& options, const std::stop_token& stop);

} // namespace scanloupe
