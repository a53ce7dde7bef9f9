#pragma once
// Declares the probing of a pose: its unconstrained directions, and other poses at which its surfaces fit as
// well.
#include "engine/align/surface_match.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace scanloupe {

/// A motion that is hardly constrained by the normals of the surfaces, and how far the scan may move along
/// it.
struct WeakDirection {
    Vec3d translation; ///< translation of the unit motion, metres; the unit motion displaces the surfaces by
                       ///< 1 m (RMS)
    Vec3d rotation;    ///< rotation of the unit motion about the centre of the surfaces, radians
    double held = 0;   ///< fraction of the surfels that constrain the motion, see PoseProber
    /// Metres backward and forward along the motion within which the evidence does not contradict the pose.
    double back = 0, forth = 0;
    bool isBounded = false; ///< true: surfaces contradict poses farther away on either side; false: the
                            ///< overlap ends there
    double length() const { return back + forth; }
    /// Whether the motion is mainly a rotation about the centre of the surfaces.
    bool isTurn() const { return squaredNorm(translation) < 0.5; }
};

/// Another pose at which the surfaces were compared.
struct PoseCandidate {
    RigidTransform pose; ///< T_target_scan
    SurfaceTally tally;
};

/// Searches for motions and poses that can mislead an alignment. A surface constrains a motion if at least a
/// quarter of the surface's displacement is along its normal. Smaller components count as noise, since
/// normals are only accurate to some degrees. After T. Tuna et al., "X-ICP: Localizability-Aware LiDAR
/// Registration for Robust Localization in Extreme Environments" (2023). Methods throw KernelError when out
/// of memory, and Cancelled.
class PoseProber {
public:
    /// @param comparison must outlive the prober, like `stop`
    PoseProber(const SurfaceComparison& comparison, const RigidTransform& pose, const std::stop_token& stop);

    const RigidTransform& settled() const {
        return m_settled;
    }                                                   ///< the pose after refinement by the surfaces alone
    const SurfaceTally& base() const { return m_base; } ///< comparison of the surfaces at the pose itself
    /// Returns the standard error along the least constrained motion, metres.
    double slack() const { return std::ranges::max(m_errors); }
    /// Returns the motions with too few constraining surfaces, along which the scan may move by several
    /// tolerances.
    std::vector<WeakDirection> weakDirections();
    /// settled() without its motion along weak directions.
    RigidTransform settledAcross(std::span<const WeakDirection> weak) const;
    /// Whether a pose is the probed one moved along weak directions.
    bool isAlong(std::span<const WeakDirection> weak, const RigidTransform& pose) const;

    /// Returns candidates from the cross-correlation of both surfaces: poses that are shifted horizontally,
    /// or rotated by multiples of 90 degrees.
    std::vector<PoseCandidate> candidates() const;
    /// Refines an initial pose by the surfaces, with few surfels.
    PoseCandidate candidate(const RigidTransform& start) const;
    /// Refines a candidate, and compares its surfaces as accurately as those of the pose itself.
    PoseCandidate refined(const PoseCandidate& candidate) const;

private:
    /// @param motion relative to the target's base
    RigidTransform movedBy(RigidTransform motion) const;
    RigidTransform moved(int direction, double amount) const;
    /// Whether the surfels contradict the pose moved by `amount` along a direction, more than at the pose
    /// itself.
    bool isContradicted(int direction, double amount) const;
    double slideEnd(int direction, double sign, bool& isBounded) const;

    const SurfaceComparison& m_comparison;
    RigidTransform m_pose, m_settled;
    const std::stop_token& m_stop;
    SurfaceTally m_base;
    Vec3d m_middle; ///< centre of the surfaces
    PlaneEquations m_equations{{}, 1};
    std::array<double, 6> m_held{};   ///< fraction of the surfels that constrain the motion of each
                                      ///< eigenvector
    std::array<double, 6> m_errors{}; ///< standard error along the motion of each eigenvector, metres
    std::size_t m_parallel = 0;       ///< number of matches with the same normals
};

} // namespace scanloupe
