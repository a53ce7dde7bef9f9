#pragma once
// Reads several scans one after the other and registers them to a common frame, for the command line and the
// window.
#include "engine/align/merge_clouds.h"
#include "engine/align/scan_aligner.h"
#include "engine/compute/compute_worker.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

/// One of several scans, and the pose that was found for it.
struct AlignedScan {
    std::filesystem::path path;
    std::shared_ptr<const PointCloud> cloud; ///< null if it could not be read, or with keepClouds off
    ScanAlignment alignment;
    std::string problem; ///< why it has no pose; empty if it has one
    bool failed = false; ///< an error kept it from being aligned, such as of its file
};
using AlignedScanPtr = std::shared_ptr<const AlignedScan>;

struct AlignJob {
    std::vector<std::filesystem::path> scans; ///< the first one defines the common frame
    AlignParams params;
    Backend backend = Backend::cpu; ///< cpu or cuda, see ScanAligner
    /// Initial poses of the registration, T_first_scan: one a scan, or one for the second scan alone. Scans
    /// without one start from the predicted pose. With one a scan, the first scan's pose may differ from the
    /// identity; all poses are then in the frame of the starts.
    std::vector<RigidTransform> starts;
    bool keepClouds = false;
    /// Scans are shared out to these where each is aligned to the first scan from a start of its own: the
    /// poses are those of one after the other, but for last digits that differ between backends. Empty: one
    /// after the other by `backend`.
    std::vector<ComputeWorker> workers = {};

    /// Returns a scan's points; called for one at a time. @throws EngineError, which is kept as the scan's
    /// problem and leaves the scan out; Cancelled.
    std::function<std::shared_ptr<const PointCloud>(std::size_t scan)> read;
    /// Called for every scan as soon as its pose and those before it are known.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onAligned = {};
};

struct AlignOutcome {
    AlignParams params; ///< including the values chosen from the first scan
    std::vector<AlignedScanPtr> scans;
    std::vector<std::string> givenUp; ///< sentences about devices that have failed: the host took over

    /// A pose for every scan; one that could not be aligned has its initial pose.
    Trajectory trajectory() const;
    std::size_t failedCount() const; ///< scans that were not aligned because of an error
    /// Scans that were aligned, but whose pose has this verdict.
    std::size_t countOf(PoseWord word) const;
    /// The scans whose clouds were kept: with the pose right, and doubtful if wanted.
    std::vector<PosedCloud> posedClouds(bool withDoubtful) const;
};

/// @throws EngineError when there are fewer than two scans, the number of starts is neither that of the scans
/// nor one, the first scan can't be read, or scans that depend on each other are to be shared out;
/// KernelError; Cancelled.
AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop);

} // namespace scanloupe
