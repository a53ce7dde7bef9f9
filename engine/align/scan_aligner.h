#pragma once
// Declares the sequential registration of scans: one pose per scan.
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
    map,      ///< all previous scans within view of the current one, at their poses (scan-to-map)
};

/// The method of registration: those of RegistrationMethod, and NDT (normal distributions transform).
enum class AlignMethod : std::uint8_t {
    gicp,
    vgicp,
    plane,
    /// NDT as published. On flat ground, the rings of a spinning sensor move with the sensor, and the score
    /// is best where rings coincide.
    ndt,
};

struct AlignParams {
    AlignMethod method = AlignMethod::gicp;
    AlignTo to = AlignTo::map;
    std::optional<double> resolution; ///< edge length of the map's cells, metres; nullopt: chosen from the
                                      ///< first scan
    std::optional<double> thinning;   ///< edge length of the voxel grid that downsamples a scan before it is
                                      ///< aligned (mean of the points of a voxel), metres; 0: all points are
                                      ///< used; nullopt: a fifth of the resolution
    NdtMapParams map;                 ///< parameters of the map; its resolution is replaced by `resolution`
    NdtParams ndt; ///< parameters of NDT; epsilon and maxIterations (per resolution level) apply to the other
                   ///< methods as well
    /// Radius of the pose search, metres: x and y around the scan's given or predicted initial pose, at any
    /// heading. 0: only the initial pose is used.
    double searchRadius = 0;
    bool closeLoops = true; ///< see closeLoops(); not with AlignTo::first, which does not drift
    /// Also evaluate NDT at poses found by surfaces: score, overlap and geometry of ScanAlignment::ndt. On a
    /// device it takes as long as the registration. It does not change the pose.
    bool ndtFigures = false;
    bool operator==(const AlignParams&) const = default;
};

/// The pose of a scan, and the result of the registration that found it.
struct ScanAlignment {
    RigidTransform start; ///< initial pose, T_first_scan: given or predicted
    RigidTransform pose;  ///< T_first_scan; equals `start` if hasPose is false
    Vec3d reference; ///< reference point of shift(): the scan's origin, or its centre where coordinates are
                     ///< large
    std::uint64_t points = 0;
    /// Number of points that were compared. With NDT: points left after thinning; with other methods: points
    /// whose surfaces were found.
    std::uint64_t alignedPoints = 0;
    /// Default-constructed for the first scan. Its end and iterations are set by any method; the other
    /// members only by NDT, or at the pose found by surfaces with AlignParams::ndtFigures.
    NdtFit ndt;
    PoseEvidence evidence; ///< default-constructed for the first scan
    PoseVerdict verdict;   ///< `right` for the first scan
    /// Wall times, ms: preparing the scan; copying to the device (part of prepareMs, measured by the device's
    /// clock); aligning; gathering the evidence; scoring and adding to the map. Other scans may be processed
    /// at the same time.
    double prepareMs = 0, uploadMs = 0, alignMs = 0, evidenceMs = 0, mapMs = 0;

    /// Whether a pose was found, converged or not; true for the first scan.
    bool hasPose = false;
    /// Whether the pose is reliable. Later scans are aligned only to placed scans.
    bool placed() const { return verdict.word == PoseWord::right; }

    /// Displacement of `reference`, metres. More meaningful than the translation of the pose: a small
    /// rotation about a distant origin has a translation of kilometres.
    Vec3d shift() const { return pose(reference) - reference; }
    /// Fraction of the aligned points that are in a cell of the map; 0 if NDT was not evaluated.
    double overlap() const {
        return alignedPoints > 0 ? double(ndt.pointsWithCell) / double(alignedPoints) : 0;
    }
};

/// A scan that is not added to the maps of a ScanAligner yet.
struct PendingScan {
    std::optional<PreparedScan> scan;    ///< nullopt: the scan could not be read, and its initial pose is
                                         ///< assumed
    std::optional<RigidTransform> start; ///< T_first_scan; nullopt: the predicted pose is used
    bool isAhead = false;                ///< whether later scans were begun before this one was settled,
                                         ///< assuming that its pose is right
    ScanAlignment alignment;
    ScanSightPtr sight;
    std::vector<ScanSightPtr> targets; ///< scans that the pose is compared with, the nearest first
    std::optional<RigidTransform> rival;
    bool isScored = false; ///< whether `alignment.ndt` has NDT's score at the pose
    /// Times of the copy to the device, and of the alignment and the addition to the map there, on the clock
    /// of the aligner; 0 on the CPU.
    DeviceSpan upload, work;
};

/// Estimates the pose of every added scan in the frame of the first one.
/// add() runs all steps for a scan. Alternatively, the steps are called separately: prepare(), in any order
/// of scans, and begin(), judge() and settle(), each in the order of the scans. A scan may be begun before
/// the previous one is settled (`isAhead`); it is then aligned as if the previous pose were right. If
/// settle() finds that it is not right, rewind() resets all scans that were begun and not settled, and they
/// have to be begun again. Poses do not depend on how early scans were begun.
class ScanAligner {
public:
    /// @param backend cpu; or cuda, for registrations by surfaces, for searches, and for NDT to the first
    /// scan. NDT to a growing map stays on the CPU: a copy of the map to the device for each scan takes
    /// longer than the alignment.
    /// @param maxWaitingBytes of the scans that wait for NDT's map, see DeferredNdtMap
    /// @throws EngineError, KernelError for parameters out of range.
    ScanAligner(const AlignParams& params, Backend backend,
                std::uint64_t maxWaitingBytes = DeferredNdtMap::kMaxWaitingBytes);

    /// Aligns one more scan. Without an initial pose `start` (T_first_scan), it starts from predictedPose().
    /// If the resulting pose is wrong, later predictions assume the scan at its initial pose. Later scans are
    /// not aligned to a scan whose pose is not right.
    /// @throws EngineError if the first scan has no finite points; KernelError when out of memory; Cancelled.
    ///     After an exception the scan is not added.
    ScanAlignment add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                      const std::stop_token& stop);

    /// Prepares a scan independently of others. Can be called from any thread after the first scan was added,
    /// concurrently with the other steps; uses its own stream. @throws KernelError; Cancelled
    PreparedScan prepare(const PointCloud& cloud, const std::stop_token& stop) const;
    /// Whether scans can be begun before the previous ones are settled: on a device, or on many cores.
    bool canBeginAhead() const;
    /// Finds the pose of a scan. @returns false, without any effect, if a scan with `isAhead` needs the NDT
    /// map of all previous scans. @throws KernelError; Cancelled
    bool begin(PendingScan& pending, const std::stop_token& stop);
    /// Gathers the evidence and judges the pose. Can be called from any thread, for several scans at once.
    /// @throws KernelError; Cancelled
    void judge(PendingScan& pending, const std::stop_token& stop) const;
    /// Adds the scan to the maps if its pose is right. Can be called concurrently with begin() and judge() of
    /// later scans. @returns whether scans that were begun in the meantime made the right assumption about
    /// this one.
    /// @throws KernelError; Cancelled
    bool settle(PendingScan& pending, const std::stop_token& stop);
    /// Resets all scans that were begun and not settled. No other step may run concurrently.
    void rewind();

    /// Returns the parameters. After the first scan was added, they include the values chosen from it.
    const AlignParams& params() const { return m_params; }
    /// Returns the NDT map of all scans with right poses. @throws KernelError when out of memory
    const NdtMap& map() { return m_map.map({}); }

    /// Predicts the pose of the next scan with constant velocity: the motion between the last two scans is
    /// repeated.
    RigidTransform predictedPose() const { return m_now.predictedPose(); }

private:
    /// Scans that later ones are aligned to and compared with, except for NDT's map.
    struct Targets {
        std::optional<SurfaceTarget> surfaces; ///< surfaces of the scans in the map; nullopt with NDT
        std::vector<ScanSightPtr> sights;      ///< evidence of the scans in the map that are close to the
                                               ///< last pose
        double reach = 0;                      ///< half the diagonal of the largest scan's bounding box,
                                               ///< metres
        std::optional<Vec3d> lastDrop;         ///< centre of the ball of the last keepNear()
        std::vector<RigidTransform> lastPoses; ///< poses of the last two scans, estimated or assumed

        RigidTransform predictedPose() const;
        void recordPose(const RigidTransform& pose);
    };
    /// Runs begin() without measuring the device time.
    bool beginStep(PendingScan& pending, const std::stop_token& stop);
    ScanAlignment addFirst(const PointCloud& cloud, const RigidTransform& start, const std::stop_token& stop);
    void chooseParams(const PointCloud& first);
    PreparationParams preparation() const;
    /// Returns the initial pose of the registration, from a search if enabled. @param rival receives another
    /// good pose if the search found one
    RigidTransform startOf(const NdtScan& source, const RigidTransform& start,
                           std::optional<RigidTransform>& rival, const std::stop_token& stop);
    /// Aligns by surfaces, or by NDT if the scan has too few. @returns as begin()
    bool alignSurfaces(PendingScan& pending, const std::stop_token& stop);
    NdtFit align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop);
    NdtFound searchPose(const NdtScan& scan, const RigidTransform& about, const std::stop_token& stop);
    /// Whether NDT is evaluated for every scan.
    bool usesNdt() const {
        return m_params.method == AlignMethod::ndt || m_params.searchRadius > 0 || m_params.ndtFigures;
    }
    /// Evaluates NDT at the pose found by surfaces.
    void score(PendingScan& pending, const std::stop_token& stop);
    /// Adds the scan to NDT's map; moves the points out of `scan`.
    void addToMap(PreparedScan& scan, const RigidTransform& pose, const std::stop_token& stop);

    std::optional<StreamView> view(const std::optional<Stream>& stream) const;
    Targets copyOf(const Targets& targets, const std::optional<Stream>& stream) const;
    /// Adds a scan with a right pose to the targets. @returns the ball outside which cells of NDT's map have
    /// to be dropped, if it changed
    std::optional<Ball> advance(Targets& targets, const PreparedScan& scan, const ScanSightPtr& sight) const;
    /// Adds the sight to the scans that poses are compared with. Replaces the farthest one if there are too
    /// many.
    void addSight(Targets& targets, const ScanSightPtr& sight) const;
    /// Returns the ball that is visible from a scan if the sensor has moved far enough since the last one.
    std::optional<Ball> sightBall(Targets& targets, const PreparedScan& scan,
                                  const RigidTransform& pose) const;
    /// Returns the execution on the device if there is one and `onDevice` is set, otherwise on the CPU.
    Execution execution(bool onDevice, const std::stop_token& stop) const;

    AlignParams m_params;
    /// nullopt on the CPU. Declared first, so that they are destroyed after all device memory below.
    std::optional<Stream> m_stream, m_settledStream, m_aheadStream;
    DeferredNdtMap m_map;
    std::optional<EventTimer> m_clock; ///< start of the clock for device times
    SurfaceScale m_scale;              ///< chosen from the first scan
    bool m_isSightKnown = false;       ///< from the first scan: normals point towards the sensor
    Targets m_now;                     ///< targets for the next scan to begin
    std::optional<Targets> m_settled;  ///< targets including only settled scans; nullopt: the same as m_now
};

} // namespace scanloupe
