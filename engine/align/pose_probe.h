#pragma once
// Declares the probing of a pose: its unconstrained directions, and other poses at which its surfaces fit as
// well, near and far.
#include "engine/align/surface_match.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace scanloupe {

/// A motion that the normals of the surfaces hardly constrain, and how far the scan may move along it.
struct WeakDirection {
    Vec3d translation; ///< translation of the unit motion, which moves the surfaces by 1 m (RMS): metres
    Vec3d rotation;    ///< rotation of the unit motion, about the centre of the surfaces: radians
    double held = 0;   ///< fraction of the surfaces that constrain it, see PoseProber
    /// Metres backward and forward along it within which the evidence does not contradict the pose.
    double back = 0, forth = 0;
    bool isBounded = false; ///< surfaces contradict farther poses on a side; otherwise the overlap ends there
    double length() const { return back + forth; }
    /// Rather a turn about the middle of the surfaces than a slide.
    bool isTurn() const { return squaredNorm(translation) < 0.5; }
};

/// Another pose at which the surfaces were compared.
struct PoseCandidate {
    RigidTransform pose; ///< T_target_scan
    SurfaceTally tally;
};

/// Searches the motions and poses that can mislead an alignment. A surface constrains a motion if at least a
/// quarter of the surface's motion is along its normal: normals are only known to some degrees, so that
/// smaller components are noise. After T. Tuna et al., "X-ICP: Localizability-Aware LiDAR Registration for
/// Robust Localization in Extreme Environments" (2023). Methods throw KernelError when memory is short, and
/// Cancelled.
class PoseProber {
public:
    /// @param comparison must outlive the prober, and so must `stop`
    PoseProber(const SurfaceComparison& comparison, const RigidTransform& pose, const std::stop_token& stop);

    const RigidTransform& settled() const {
        return m_settled;
    }                                                   ///< the pose after refinement by the surfaces alone
    const SurfaceTally& base() const { return m_base; } ///< at the pose
    /// The standard error along the least constrained motion, metres.
    double slack() const { return std::ranges::max(m_errors); }
    /// Motions with too few constraining surfaces, along which the scan may move by some tolerances.
    std::vector<WeakDirection> weakDirections();
    /// settled() without its motion along weak directions.
    RigidTransform settledAcross(std::span<const WeakDirection> weak) const;
    /// Whether a pose is the probed one moved along weak directions.
    bool isAlong(std::span<const WeakDirection> weak, const RigidTransform& pose) const;

    /// Candidates from the cross-correlation of both surfaces: shifted horizontally, and rotated by quarter
    /// turns.
    std::vector<PoseCandidate> candidates() const;
    /// Where a start settles on the surfaces.
    PoseCandidate candidate(const RigidTransform& start) const;
    /// A candidate, refined and compared as accurately as the pose itself.
    PoseCandidate refined(const PoseCandidate& candidate) const;

private:
    /// @param motion relative to the target's base
    RigidTransform movedBy(RigidTransform motion) const;
    RigidTransform moved(int direction, double amount) const;
    /// Whether enough surfels contradict the pose moved so far, more than at the pose itself.
    bool isContradicted(int direction, double amount) const;
    double slideEnd(int direction, double sign, bool& isBounded) const;

    const SurfaceComparison& m_comparison;
    RigidTransform m_pose, m_settled;
    const std::stop_token& m_stop;
    SurfaceTally m_base;
    Vec3d m_middle; ///< centre of the surfaces
    PlaneEquations m_equations{{}, 1};
    std::array<double, 6> m_held{};   ///< for each eigenvector: fraction of the surfaces that constrain it
    std::array<double, 6> m_errors{}; ///< for each eigenvector: standard error by these surfaces, metres
    std::size_t m_parallel = 0;       ///< matches with the same normals
};

} // namespace scanloupe
