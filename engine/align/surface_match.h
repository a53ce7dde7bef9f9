#pragma once
// Declares the comparison of two scans' surfaces at a pose, and the point-to-plane equations that matched
// surfels make.
#include "engine/align/scan_surface.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Surfels of one scan, their index, and what the scan saw.
struct ScanSurface {
    std::span<const Surfel> surfels; ///< relative to `origin` in the scan's frame
    Vec3d origin;
    const SurfaceIndex* index = nullptr;
    const DepthView* depth = nullptr;
};

/// Weights under which each direction of the normals counts equally: leverages n^T (sum n n^T)^-1 n. Ground
/// and ceiling otherwise outweigh what holds a pose along them.
class DirectionWeights {
public:
    /// @param moments outer product sum n n^T of the normals n
    explicit DirectionWeights(std::array<double, 6> moments);
    double operator()(Vec3d normal) const;
    /// Cosine of the angle between a normal and the k-th of the three principal directions of the normals.
    double along(Vec3d normal, std::size_t k) const { return dot(m_axes[k], normal); }

private:
    std::array<Vec3d, 3> m_axes;
    std::array<double, 3> m_inverse{};
};

/// Sums over the surfels of one scan that are compared with the other, weighted by direction.
struct SurfaceTally {
    double all = 0;                     ///< surfels
    double covered = 0;                 ///< with a surfel of the other scan within reach
    double agreeing = 0, differing = 0; ///< weights of those that agree; of those that differ or cross
    double floating = 0; ///< weight of those that the other scan saw through, and none is within reach
    double contradictingSquares = 0; ///< of the weights of those that differ, cross or float
    std::array<double, 3>
        holding{};      ///< surfels that agree and face along the principal directions of normals
    double squares = 0; ///< weighted squares of the offsets of those that agree, square metres
    SurfaceTally& operator+=(const SurfaceTally& other);
    /// Share of the weights that agree, of those that are known.
    double agreement() const;
    double overlap() const { return all > 0 ? covered / all : 0; }
    /// How many more surfels than those of another tally contradict the pose, as a number of equal weights
    /// (Kish's effective sample size), at most that of all that contradict it: one steep surfel outweighs
    /// hundreds of the ground of an open field.
    double contradictingBeyond(const SurfaceTally& other) const;
    /// The least share of the surfels that hold another pose in a direction that this one has, too.
    double supportOf(const SurfaceTally& other) const;
};

/// Compares the surfaces of a scan and of its target at any pose of the scan.
class SurfaceComparison {
public:
    /// @param targetPose of the target's frame in the frame of poses; all has to outlive the comparison
    /// @param targetIndex in the frame of poses
    SurfaceComparison(const SurfaceIndex& targetIndex, const DepthView& targetDepth,
                      const RigidTransform& targetPose, const ScanSurface& scan);

    /// Each `stride`-th surfel of the scan, compared with the target's. @param pose T_target_scan
    std::vector<SurfaceMatch> matches(const RigidTransform& pose, std::size_t stride,
                                      const std::stop_token& stop) const;
    /// Tallies approximately `count` surfels of each scan, in both directions.
    SurfaceTally tally(const RigidTransform& pose, std::size_t count, const std::stop_token& stop) const;
    /// Where point-to-plane steps of about `count` of the scan's surfels lead to from a pose, `steps` at
    /// most; nothing once fewer than `least` of all its surfels, or 6 of these, have a counterpart with the
    /// same normal.
    std::optional<RigidTransform> settled(RigidTransform pose, int steps, std::size_t count,
                                          std::size_t least, const std::stop_token& stop) const;

    const SurfaceIndex& target() const { return m_target; }
    const ScanSurface& scan() const { return m_scan; }

private:
    const SurfaceIndex& m_target;
    const DepthView& m_targetDepth;
    RigidTransform m_targetPose;
    ScanSurface m_scan;
    std::array<double, 6> m_targetMoments{}, m_scanMoments{}; ///< of the normals
};

/// Least-squares equations of a small motion that brings matches together: their left side is the
/// information that surfaces hold about the six motions.
class PlaneEquations {
public:
    /// @param middle about which it turns
    /// @param lever metres that one unit of a turn moves the surfaces by
    PlaneEquations(Vec3d middle, double lever) : m_middle(middle), m_lever(lever) {}
    void add(const SurfaceMatch& match, double weight);
    /// Diagonalizes them; call it once, after the last match.
    void solve();
    /// Eigenvalue of the left side, ascending.
    double eigenvalue(int i) const { return m_a[i][i]; }
    /// How a match's surface moves under the unit motion of an eigenvalue, metres.
    Vec3d velocity(const SurfaceMatch& match, int i) const;
    /// The unit motion of an eigenvalue, in the frame of the places: T_moved.
    RigidTransform motion(int i, double amount) const;
    /// The unit motion itself: a translation, and a rotation that moves the surfaces by as many metres.
    std::array<double, 6> direction(int i) const;
    /// A small motion less its part along directions at right angles, see direction().
    RigidTransform without(const RigidTransform& motion,
                           std::span<const std::array<double, 6>> directions) const;
    /// The motion that brings the matches together, with the weak directions damped.
    /// @param length receives how far it moves the surfaces (RMS), metres
    RigidTransform step(double& length) const;

private:
    std::array<double, 6> row(const SurfaceMatch& match) const;
    RigidTransform transform(const double (&motion)[6]) const;

    Vec3d m_middle;
    double m_lever;
    double m_a[6][6] = {}, m_v[6][6] = {}, m_b[6] = {};
};

/// The mean place of the matches that are parallel, and the RMS distance from it.
struct Spread {
    Vec3d middle;
    double lever = 1e-3; ///< metres, never 0
    std::size_t count = 0;
};
Spread spreadOf(std::span<const SurfaceMatch> matches);

} // namespace scanloupe
