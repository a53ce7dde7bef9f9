#pragma once
// Reads several scans one after the other and registers them to a common frame, for the command line and the
// window.
#include "engine/align/loop_closure.h"
#include "engine/align/merge_clouds.h"
#include "engine/align/scan_aligner.h"
#include "engine/compute/backend.h"
#include "engine/compute/compute_worker.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// One of several scans, and the pose that was found for it.
struct AlignedScan {
    std::filesystem::path path;
    std::shared_ptr<const PointCloud> cloud; ///< null if it could not be read, or with keepClouds off
    ScanAlignment alignment;
    std::string problem;  ///< why it has no pose; empty if it has one
    std::string nextStep; ///< the next step after an error
    bool failed = false;  ///< an error prevented its alignment, e.g. of its file
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
    /// Workers that align scans concurrently, where each is aligned to the first scan from its own start: the
    /// poses are the same as one after the other, except for last digits that differ between backends. Empty:
    /// one after the other by `backend`.
    std::vector<ComputeWorker> workers = {};

    /// Returns a scan's points; called from any thread, for up to `reads` scans at a time in about their
    /// order, concurrently with the other functions, and again for scans that close loops. @throws
    /// EngineError, which is kept as the scan's problem and leaves the scan out; Cancelled.
    std::function<std::shared_ptr<const PointCloud>(std::size_t scan)> read;
    std::size_t reads = 1;
    /// Called for every scan that was read, for one at a time from any thread, in the order of the scans
    /// unless they are shared out. @throws as read()
    std::function<void(std::size_t scan, const PointCloud& cloud)> onRead = {};
    /// Called for every scan as soon as its pose and those before it are known, for one at a time, from any
    /// thread.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onAligned = {};
    /// Called for every scan whose pose changed after that, since loops were closed.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onMoved = {};
};

/// Wall times of all scans' steps, ms. Steps of several scans run at the same time.
struct AlignTimes {
    double readMs = 0, prepareMs = 0, uploadMs = 0, alignMs = 0, evidenceMs = 0, mapMs = 0;
    /// Of uploadMs, during which a scan was aligned or added to the map: by the device's clock, see
    /// hiddenMs()
    double uploadHiddenMs = 0;
    double waitMs = 0;       ///< in which no scan was aligned, since none had been prepared
    double wallMs = 0;       ///< total without loops
    std::size_t rewinds = 0; ///< times that scans were aligned again, since a pose before was not right
};

struct AlignOutcome {
    AlignParams params; ///< including the values chosen from the first scan
    std::vector<AlignedScanPtr> scans;
    std::vector<LoopEdge> loops; ///< loops that were tried, closed or not
    AlignTimes times;            ///< times of scans that are aligned in turn
    std::vector<std::string>
        givenUp; ///< sentences about devices that have failed and were replaced by the host

    /// A pose for every scan; one that could not be aligned has its initial pose.
    Trajectory trajectory() const;
    std::size_t closedLoops() const;
    std::size_t failedCount() const; ///< scans that were not aligned because of an error
    /// Number of aligned scans with this verdict.
    std::size_t countOf(PoseWord word) const;
    /// The scans whose clouds were kept, with right poses, and optionally with doubtful ones.
    std::vector<PosedCloud> posedClouds(bool withDoubtful) const;
};

/// How many files can be read at a time while scans are aligned on the other cores.
std::size_t concurrentReads();

/// @throws EngineError when there are fewer than two scans, the number of starts is neither that of the scans
/// nor one, the first scan can't be read, or `workers` are given for scans that depend on each other;
/// KernelError; Cancelled.
AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop);

} // namespace scanloupe
