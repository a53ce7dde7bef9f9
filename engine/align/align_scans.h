#pragma once
// Declares the registration of several scans to a common frame, reading one after the other; used by the
// command line and the GUI.
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

/// One of several scans, and its estimated pose.
struct AlignedScan {
    std::filesystem::path path;
    std::shared_ptr<const PointCloud> cloud; ///< null if the scan could not be read, or if
                                             ///< AlignJob::keepClouds is off
    ScanAlignment alignment;
    std::string problem;  ///< reason why the scan has no pose; empty if it has a pose
    std::string nextStep; ///< suggestion for the user after an error
    bool failed = false;  ///< whether an error prevented the alignment, e.g. an unreadable file
};
using AlignedScanPtr = std::shared_ptr<const AlignedScan>;

struct AlignJob {
    std::vector<std::filesystem::path> scans; ///< files; the first one defines the common frame
    AlignParams params;
    Backend backend = Backend::cpu; ///< cpu or cuda, see ScanAligner
    /// Initial poses of the registration, T_first_scan. Either one for each scan, or a single one for the
    /// second scan. A scan without an initial pose starts from the predicted pose. If every scan has an
    /// initial pose, the first scan's may differ from the identity; all poses are then in the frame of these
    /// initial poses.
    std::vector<RigidTransform> starts;
    bool keepClouds = false;
    /// Workers that align scans concurrently. Requires that each scan is aligned to the first one from its
    /// own initial pose. The poses equal those of a sequential run, except for rounding differences between
    /// backends. Empty: scans are aligned sequentially with `backend`.
    std::vector<ComputeWorker> workers = {};

    /// Returns a scan's points. Called from any thread, for up to `reads` scans at a time in approximately
    /// their order, concurrently with the other functions. Called again for scans that close loops. @throws
    /// EngineError, which is stored as the scan's problem and excludes the scan; Cancelled.
    std::function<std::shared_ptr<const PointCloud>(std::size_t scan)> read;
    std::size_t reads = 1;
    /// Called for every scan that was read, from any thread but never concurrently. The order is that of the
    /// scans, except with `workers`. @throws as read()
    std::function<void(std::size_t scan, const PointCloud& cloud)> onRead = {};
    /// Called for every scan as soon as its pose and the poses of all previous scans are known, from any
    /// thread but never concurrently.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onAligned = {};
    /// Called after onAligned for every scan whose pose was changed by closing loops.
    std::function<void(std::size_t scan, const AlignedScanPtr& aligned)> onMoved = {};
};

/// Wall times of each step, summed over all scans, ms. Steps of several scans run at the same time.
struct AlignTimes {
    double readMs = 0, prepareMs = 0, uploadMs = 0, alignMs = 0, evidenceMs = 0, mapMs = 0;
    /// Part of uploadMs during which another scan was aligned or added to the map, ms, measured by the
    /// device's clock; see hiddenMs().
    double uploadHiddenMs = 0;
    double waitMs = 0;       ///< time without any scan to align, since none was prepared yet
    double wallMs = 0;       ///< total time except for closing loops
    std::size_t rewinds = 0; ///< number of times that scans had to be aligned again, since a previous pose
                             ///< was not right
};

struct AlignOutcome {
    AlignParams params; ///< including the values chosen from the first scan
    std::vector<AlignedScanPtr> scans;
    std::vector<LoopEdge> loops;      ///< loops that were tested, closed or not
    AlignTimes times;                 ///< times of scans that are aligned sequentially
    std::vector<std::string> givenUp; ///< messages about devices that failed and were replaced by the CPU

    /// Returns a pose for every scan; scans that could not be aligned have their initial pose.
    Trajectory trajectory() const;
    std::size_t closedLoops() const;
    std::size_t failedCount() const; ///< number of scans that were not aligned because of an error
    /// Returns the number of aligned scans with this verdict.
    std::size_t countOf(PoseWord word) const;
    /// Returns the scans whose clouds were kept and whose poses are right, optionally also those with
    /// doubtful poses.
    std::vector<PosedCloud> posedClouds(bool withDoubtful) const;
};

/// Returns the number of files that can be read at a time while scans are aligned on the other cores.
std::size_t concurrentReads();

/// Aligns all scans of a job.
/// @throws EngineError if there are fewer than two scans, the number of initial poses is neither 1 nor the
///     number of scans, the first scan can't be read, or `workers` are given for scans that depend on each
///     other; KernelError; Cancelled.
AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop);

} // namespace scanloupe
