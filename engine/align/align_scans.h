#pragma once
// Several scans, read one after the other and aligned: what the command line and the window both do.
#include "engine/align/merge_clouds.h"
#include "engine/align/scan_aligner.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

/// One of several scans, and where it was put.
struct AlignedScan {
    std::filesystem::path path;
    std::shared_ptr<const PointCloud> cloud; ///< null where it could not be read, or nobody keeps it
    ScanAlignment alignment;
    std::string problem; ///< why it has no place; empty when it has
};
using AlignedScanPtr = std::shared_ptr<const AlignedScan>;

struct AlignJob {
    std::vector<std::filesystem::path> scans; ///< the first one is what the others are aligned to
    AlignParams params;
    Backend backend = Backend::cpu; ///< cpu or cuda, see ScanAligner
    /// Where scans begin, T_first_scan: one a scan, or one for the second; others follow the motion before
    /// them. With one a scan the first may lie elsewhere than at the origin, and all poses with it.
    std::vector<RigidTransform> starts;
    bool keepClouds = false;

    /// Gives a scan's points. @throws EngineError, which is told and leaves the scan out; Cancelled.
    std::function<std::shared_ptr<const PointCloud>(std::size_t scan)> read;
    /// Is told of every scan as soon as it has its place.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onAligned = {};
};

struct AlignOutcome {
    AlignParams params; ///< with what was chosen from the first scan
    std::vector<AlignedScanPtr> scans;

    /// A pose for every scan; one without a place has the pose that was expected of it.
    Trajectory trajectory() const;
    std::size_t unplacedCount() const;
    /// Those that have a place and whose clouds were kept.
    std::vector<PosedCloud> posedClouds() const;
};

/// @throws EngineError when there are fewer than two scans, the numbers of scans and starts do not go
/// together, or the first scan can't be read; KernelError; Cancelled.
AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop);

} // namespace scanloupe
