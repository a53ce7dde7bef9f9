#pragma once
// Declares the sequential registration of scans by NDT (normal distributions transform): one pose a scan.
#include "engine/align/pose_verdict.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/trajectory.h"
#include "kernels/core/stream.h"
#include "kernels/register/operators.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// The target of the registration.
enum class AlignTo : std::uint8_t {
    first,    ///< the first scan
    previous, ///< the scan before it (odometry): drift accumulates
    map,      ///< all scans before it, at their poses (scan-to-map)
};

struct AlignParams {
    AlignTo to = AlignTo::map;
    std::optional<double> resolution; ///< edge of the map's cells, metres; default: from the first scan
    std::optional<double> thinning;   ///< edge of the voxel grid that downsamples a scan before it is aligned
                                      ///< (mean of the points of a voxel), metres; 0: all points are used;
                                      ///< default: a fifth of the resolution
    NdtMapParams map;                 ///< except its resolution
    NdtParams ndt;
    /// Radius of the search, metres: over x and y about a scan's start, given or predicted, with any heading;
    /// 0: it is aligned from its start.
    double searchRadius = 0;
    bool operator==(const AlignParams&) const = default;
};

/// The pose of a scan, and the registration that found it.
struct ScanAlignment {
    RigidTransform start; ///< initial pose: given, or predicted
    RigidTransform pose;  ///< T_first_scan; `start` without hasPose
    Vec3d reference; ///< that shift() is of: the scan's origin, or its middle where coordinates are large
    std::uint64_t points = 0;
    std::uint64_t alignedPoints = 0; ///< after thinning
    NdtResult ndt;                   ///< default-constructed for the first scan
    PoseEvidence evidence;           ///< default-constructed for the first scan
    PoseVerdict verdict;             ///< right for the first scan
    /// Wall time: of thinning and aligning; that the evidence adds, some of which is gathered beside a
    /// device; of adding to the map.
    double alignMs = 0, evidenceMs = 0, mapMs = 0;

    /// Whether NDT gave a pose, converged or not; true for the first scan.
    bool hasPose = false;
    /// Whether the pose can be relied on. Scans that are placed are what later ones are aligned to.
    bool placed() const { return verdict.word == PoseWord::right; }

    /// How far `reference` moves, metres: a small rotation about a far origin has a translation of
    /// kilometres.
    Vec3d shift() const { return pose(reference) - reference; }
    /// Share of the aligned points with a cell of the map.
    double overlap() const {
        return alignedPoints > 0 ? double(ndt.pointsWithCell) / double(alignedPoints) : 0;
    }
};

/// Estimates the pose of every added scan in the frame of the first one.
class ScanAligner {
public:
    /// @param backend cpu; or cuda, for searches and for alignment to the first scan. Alignment to a growing
    /// map stays on the CPU: a copy of the map to the device for each scan takes longer than the alignment.
    /// @throws EngineError, KernelError for parameters out of range.
    ScanAligner(const AlignParams& params, Backend backend);

    /// Aligns one more scan. Without a `start`, T_first_scan, it starts from predictedPose(). A scan whose
    /// pose is wrong counts as having been at its start; one that is not right is no target of later ones.
    /// @throws EngineError when the first scan has no finite points; KernelError when memory is short;
    /// Cancelled, and the scan was not added.
    ScanAlignment add(const PointCloud& cloud, const std::optional<RigidTransform>& start,
                      const std::stop_token& stop);

    /// Once the first scan was added, with the values chosen from it.
    const AlignParams& params() const { return m_params; }
    const NdtMap& map() const { return m_map; }

    /// The pose of the next scan under constant velocity: the motion between the last two scans, repeated.
    RigidTransform predictedPose() const;
    /// Records the pose of a scan that was not added, for the prediction of the next one.
    void recordPose(const RigidTransform& pose);

private:
    void chooseParams(const PointCloud& first);
    /// Fills all but the start and mapMs. @returns what the scan saw
    ScanSight alignOne(const PointCloud& cloud, ScanAlignment& scan, const std::stop_token& stop);
    void addToMap(const PointCloud& cloud, ScanAlignment& scan, const std::stop_token& stop);
    NdtResult align(const NdtScan& scan, const RigidTransform& start, const std::stop_token& stop);
    NdtFound searchPose(const NdtScan& scan, const RigidTransform& about, const std::stop_token& stop);
    /// That of the scan in the map that was taken nearest to a position in the frame of the first.
    const ScanSight& sightNear(Vec3d sensor) const;
    /// On the device, if there is one and `onDevice`.
    Execution execution(bool onDevice, const std::stop_token& stop) const;

    AlignParams m_params;
    NdtMap m_map;
    std::optional<Stream> m_stream;          ///< none on the CPU
    NdtTarget m_target{m_map};               // destroyed before the stream
    std::vector<ScanSight> m_sights;         ///< of the scans in the map
    std::vector<RigidTransform> m_lastPoses; ///< of the last two scans, aligned or assumed
};

} // namespace scanloupe
