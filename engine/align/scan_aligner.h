#pragma once
// Declares the sequential registration of scans: one pose a scan.
#include "engine/align/deferred_ndt_map.h"
#include "engine/align/pose_verdict.h"
#include "engine/align/prepared_scan.h"
#include "engine/compute/backend.h"
#include "engine/io/trajectory.h"
#include "kernels/core/stream.h"
#include "kernels/register/operators.h"
#include "kernels/register/surface_target.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

enum class Backend;
class PointCloud;

/// The target of the registration.
enum class AlignTo : std::uint8_t {
    first,    ///< the first scan
    previous, ///< the scan before it (odometry): drift accumulates
    map,      ///< all previous scans, at their poses, within its view (scan-to-map)
};

/// The method of registration: see RegistrationMethod, and NDT (normal distributions transform).
enum class AlignMethod : std::uint8_t {
    gicp,
    vgicp,
    plane,
    /// As published. The rings of a spinning sensor on flat ground move with it, and its score is best where
    /// they coincide.
    ndt,
};

struct AlignParams {
    AlignMethod method = AlignMethod::gicp;
    AlignTo to = AlignTo::map;
    std::optional<double> resolution; ///< edge of the map's cells, metres; default: from the first scan
    std::optional<double> thinning;   ///< edge of the voxel grid that downsamples a scan before it is aligned
                                      ///< (mean of the points of a voxel), metres; 0: all points are used;
                                      ///< default: a fifth of the resolution
    NdtMapParams map;                 ///< except its resolution
    NdtParams ndt; ///< its epsilon and maxIterations (at each resolution) apply to the other methods, too
    /// Radius of the search, metres: over x and y around a scan's start, given or predicted, with any
    /// heading; 0: only its start is used.
    double searchRadius = 0;
    bool closeLoops = true; ///< see closeLoops(); not with AlignTo::first, which does not drift
    /// Evaluate NDT at poses that surfaces found, too: score, overlap and geometry of ScanAlignment::ndt. It
    /// takes as long as the registration on a device, and changes no pose.
    bool ndtFigures = false;
    bool operator==(const AlignParams&) const = default;
};

/// The pose of a scan, and the registration that found it.
struct ScanAlignment {
    RigidTransform start; ///< initial pose: given, or predicted
    RigidTransform pose;  ///< T_first_scan; `start` without hasPose
    Vec3d reference; ///< reference point of shift(): the scan's origin, or its centre where coordinates are
                     ///< large
    std::uint64_t points = 0;
    /// Number of points that were compared: with NDT those left after thinning, with other methods those
    /// whose surfaces were found.
    std::uint64_t alignedPoints = 0;
    /// Default-constructed for the first scan. End and iterations of any method; all else of NDT alone, or at
    /// the pose that surfaces found with AlignParams::ndtFigures.
    NdtFit ndt;
    PoseEvidence evidence; ///< default-constructed for the first scan
    PoseVerdict verdict;   ///< right for the first scan
    /// Wall time: of all that is found before the scan is aligned, of which uploadMs is the copy to the
    /// device, by its clock; of aligning; of the evidence; of scoring and adding to the map. Other scans may
    /// be in work at the same time.
    double prepareMs = 0, uploadMs = 0, alignMs = 0, evidenceMs = 0, mapMs = 0;

    /// Whether a pose was found, converged or not; true for the first scan.
    bool hasPose = false;
    /// Whether the pose is reliable. Later scans are aligned to placed scans.
    bool placed() const { return verdict.word == PoseWord::right; }

    /// Displacement of `reference`, metres: a small rotation about a distant origin has a translation of
    /// kilometres.
    Vec3d shift() const { return pose(reference) - reference; }
    /// Share of the aligned points with a cell of the map; 0 where NDT was not evaluated.
    double overlap() const {
        return alignedPoints > 0 ? double(ndt.pointsWithCell) / double(alignedPoints) : 0;
    }
};

/// A scan on its way into the maps of a ScanAligner.
struct PendingScan {
    std::optional<PreparedScan> scan;    ///< none: it could not be read, and is assumed at its start
    std::optional<RigidTransform> start; ///< T_first_scan; none: the predicted pose
    bool isAhead = false;                ///< later scans were started as if its pose were right
    ScanAlignment alignment;
    ScanSightPtr sight;
    std::vector<ScanSightPtr> targets; ///< targets for comparing the pose, the nearest first
    std::optional<RigidTransform> rival;
    bool isScored = false; ///< by NDT, which aligned it
    /// When its points were copied to the device, and when it was aligned and added to the map there, on the
    /// clock of the aligner; 0 on the CPU.
    DeviceSpan upload, work;
};

/// Estimates the pose of every added scan in the frame of the first one.
///
/// add() does all of it. Else each scan goes through four steps: prepare(), which may run ahead of all
/// others; begin(), judge() and settle(), in the order of the scans each. A scan may be begun before the one
/// before it is settled (`isAhead`): it is then aligned as if that one's pose were right. Where settle()
/// finds that it isn't, rewind() forgets all that were begun and are not settled; they have to be begun
/// again. Poses do not depend on how far ahead scans were begun.
class ScanAligner {
public:
    /// @param backend cpu; or cuda, for registrations by surfaces, for searches, and for NDT to the first
    /// scan. NDT to a growing map stays on the CPU: a copy of the map to the device for each scan takes
    /// longer than the alignment.
    /// @param maxWaitingBytes of the scans that wait for NDT's map, see DeferredNdtMap
    /// @throws EngineError, KernelError for parameters out of range.
    ScanAligner(const AlignParams& params, Backend backend,
                std::uint64_t maxWaitingBytes = DeferredNdtMap::kMaxWaitingBytes);

    /// Aligns one more scan. Without a `start`, T_first_scan, it starts from predictedPose(). A scan whose
    /// pose is wrong counts as having been at its start; one that is not right is no target of later ones.
    /// @throws EngineError when the first scan has no finite points; KernelError when memory is short;
    /// Cancelled, and the scan was not added.
    ScanAlignment add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                      const std::stop_token& stop);

    /// Prepares a scan independently of others, from any thread once the first scan was added, concurrently
    /// with the other steps, on its own stream. @throws KernelError; Cancelled
    PreparedScan prepare(const PointCloud& cloud, const std::stop_token& stop) const;
    /// Whether scans can be begun ahead of others: on a device, or on many cores.
    bool canBeginAhead() const;
    /// Finds the pose. @returns false, with nothing done, where a scan that is begun ahead needs the NDT map
    /// with all scans before it. @throws KernelError; Cancelled
    bool begin(PendingScan& pending, const std::stop_token& stop);
    /// Gathers the evidence and judges the pose; from any thread, several scans at once. @throws KernelError;
    /// Cancelled
    void judge(PendingScan& pending, const std::stop_token& stop) const;
    /// Adds the scan to the maps if its pose is right; may run concurrently with begin() and judge() of later
    /// scans. @returns whether scans that were started meanwhile made the right assumption about this one.
    /// @throws KernelError; Cancelled
    bool settle(PendingScan& pending, const std::stop_token& stop);
    /// Forgets the scans that were begun and are not settled. No other step may run meanwhile.
    void rewind();

    /// Once the first scan was added, with the values chosen from it.
    const AlignParams& params() const { return m_params; }
    /// Of NDT, with all scans that are right. @throws KernelError when memory is short
    const NdtMap& map() { return m_map.map({}); }

    /// The pose of the next scan under constant velocity: the motion between the last two scans, repeated.
    RigidTransform predictedPose() const { return m_now.predictedPose(); }

private:
    /// Targets of alignment and comparison, except NDT's map.
    struct Targets {
        std::optional<SurfaceTarget> surfaces; ///< surfaces of the scans in the map; none with NDT
        std::vector<ScanSightPtr> sights;      ///< evidence of the scans in the map, those near the last pose
        double reach = 0;                      ///< half the diagonal of the largest scan's box, metres
        std::optional<Vec3d> lastDrop;         ///< centre of the cells that were kept
        std::vector<RigidTransform> lastPoses; ///< poses of the last two scans, aligned or assumed

        RigidTransform predictedPose() const;
        void recordPose(const RigidTransform& pose);
    };
    /// begin() without the time that the device takes.
    bool beginStep(PendingScan& pending, const std::stop_token& stop);
    ScanAlignment addFirst(const PointCloud& cloud, const RigidTransform& start, const std::stop_token& stop);
    void chooseParams(const PointCloud& first);
    PreparationParams preparation() const;
    /// Where a scan is looked for, or expected. @param rival receives another pose that the search found
    RigidTransform startOf(const NdtScan& source, const RigidTransform& start,
                           std::optional<RigidTransform>& rival, const std::stop_token& stop);
    /// By surfaces; by NDT where a scan has too few of them. @returns as begin()
    bool alignSurfaces(PendingScan& pending, const std::stop_token& stop);
    NdtFit align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop);
    NdtFound searchPose(const NdtScan& scan, const RigidTransform& about, const std::stop_token& stop);
    /// Whether every scan is compared with NDT's map.
    bool usesNdt() const {
        return m_params.method == AlignMethod::ndt || m_params.searchRadius > 0 || m_params.ndtFigures;
    }
    /// NDT's figures at a pose that surfaces found.
    void score(PendingScan& pending, const std::stop_token& stop);
    /// Takes the scan's points.
    void addToMap(PreparedScan& scan, const RigidTransform& pose, const std::stop_token& stop);

    std::optional<StreamView> view(const std::optional<Stream>& stream) const;
    Targets copyOf(const Targets& targets, const std::optional<Stream>& stream) const;
    /// Adds a scan with a right pose. @returns out of which ball cells of NDT's map have to be dropped, too
    std::optional<Ball> advance(Targets& targets, const PreparedScan& scan, const ScanSightPtr& sight) const;
    /// Adds it to the scans that poses are compared with, replacing the farthest one if there are too many.
    void addSight(Targets& targets, const ScanSightPtr& sight) const;
    /// The ball that is visible from a scan, once it has moved far enough.
    std::optional<Ball> sightBall(Targets& targets, const PreparedScan& scan,
                                  const RigidTransform& pose) const;
    /// On the device, if there is one and `onDevice`.
    Execution execution(bool onDevice, const std::stop_token& stop) const;

    AlignParams m_params;
    /// None on the CPU. They are declared first, so that they are destroyed after all that lies on the
    /// device.
    std::optional<Stream> m_stream, m_settledStream, m_aheadStream;
    DeferredNdtMap m_map;
    std::optional<EventTimer> m_clock; ///< of spans on the device
    SurfaceScale m_scale;              ///< of the first scan
    bool m_isSightKnown = false;       ///< of the first scan: normals point towards its sensor
    Targets m_now;                     ///< of the next scan that is begun
    std::optional<Targets> m_settled;  ///< with the scans that are settled; none: m_now is that
};

} // namespace scanloupe
