#pragma once
// Declares the evidence for and against a pose that an alignment found: figures that have a scale, unlike its
// score.
#include "engine/align/depth_view.h"
#include "kernels/register/ndt.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// How well a scan fits its target at a pose. Surfaces are those cells of the scan, made of its own points,
/// that lie on a plane. They are compared with the surfaces of the target's map in the 27 cells around them.
struct PoseFit {
    std::uint64_t surfaces = 0; ///< of the scan
    double overlap = 0;         ///< share of surfaces with a surface of the target around them
    /// Share of these whose normals agree and which lie on the target's within an eighth of a cell.
    /// Directions count equally, however many surfaces hold each: the ground agrees under any pose along it.
    double agreement = 0;
    double distance = 0; ///< RMS distance along the normals of surfaces that agree, metres
    /// Mean score of the scan's points in the target, divided by that in cells of its own.
    double scoreRatio = 0;
    /// Share of points of each scan that float where the other saw farther: the mean of both. 0 if sightKnown
    /// is false.
    double seenThrough = 0;
};

/// Another pose of a scan that was found.
struct PoseRival {
    double ratio = 0;    ///< its score, divided by that of the pose itself; 0: there is none
    double distance = 0; ///< of the sensor from the pose itself, metres
    double angle = 0;    ///< radians
    PoseFit fit;         ///< from leastRatio on
    static constexpr double leastRatio = 0.8; ///< one that scores less is no rival
};

/// Figures of a pose, and of others that were found.
struct PoseEvidence : PoseFit {
    bool converged = false;
    bool sightKnown = false; ///< both scans were seen from where their sensors are taken to have been
    /// How far the pose may slide along its weakest direction, metres: the standard error from surfaces that
    /// agree and their distances.
    double slack = 0;
    int weakDirections = 0; ///< directions that hardly anything holds, see NdtGeometry::degenerate
    /// The least curvature of the score along any motion, divided by the largest, see
    /// NdtGeometry::eigenvalues.
    double leastCurvature = 0;
    /// The score of the best pose about a cell away along that direction, divided by that of the pose itself;
    /// 0 where the surfaces do not meet there, or nothing can slide.
    double slideRatio = 0;

    bool searched = false; ///< the pose was looked for from many starts
    PoseRival rival;       ///< that the search found, or the best that turns by a quarter lead to
    /// How far the pose may slide, in cells, by how much the score minds that: either alone misjudges
    /// corridors. @param resolution edge of the target's cells, metres
    double slide(double resolution) const;
};

/// A scan that others are aligned to, for the free-space test.
struct ScanSight {
    DepthView depth;           ///< in the scan's full coordinates
    std::vector<Vec3f> points; ///< some of the scan's, relative to `origin` in its full coordinates
    Vec3d origin;
    RigidTransform pose; ///< T_target_scan
};
/// With some thousand of the points at most, evenly chosen, of those that can't be of the sensor's own
/// vehicle.
/// @param sensor in the scan's full coordinates
ScanSight sightOf(const NdtScan& scan, Vec3d sensor, double resolution, const std::stop_token& stop);

/// What the evidence needs of a scan and no pose tells: it is found while the scan is being aligned.
struct ScanTraits {
    NdtMap cells;              ///< of its points alone
    std::vector<Vec3f> scored; ///< some of its points, relative to `sight.origin`
    double score = 0;          ///< mean score of these in the cells
    ScanSight sight;
};
/// @param scan as it is aligned
/// @param sensor in the scan's full coordinates
/// @param map parameters of the target's cells
/// @throws KernelError when memory is short; Cancelled.
ScanTraits traitsOf(const NdtScan& scan, Vec3d sensor, const NdtMapParams& map, const NdtParams& params,
                    const std::stop_token& stop);

/// What the evidence is gathered from.
struct EvidenceInput {
    const NdtMap& target;
    const ScanSight& targetSight; ///< of the target's scan nearest to the pose
    const ScanTraits& scan;
    const NdtResult& result;
    const NdtRival* rival = nullptr; ///< of a search
};

/// @throws KernelError when memory is short; Cancelled.
PoseEvidence gatherEvidence(const EvidenceInput& input, const NdtParams& ndt, const std::stop_token& stop);

} // namespace scanloupe
