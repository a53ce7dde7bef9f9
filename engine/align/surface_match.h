#pragma once
// Declares the comparison of two scans' surfaces at a pose, and the point-to-plane equations of matched
// surfels.
#include "engine/align/scan_surface.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Surfels of one scan, their spatial index, and the scan's ranges.
struct ScanSurface {
    std::span<const Surfel> surfels; ///< positions relative to `origin` in the scan's frame
    Vec3d origin;
    const SurfaceIndex* index = nullptr;
    const DepthView* depth = nullptr;
};

/// Weights with which each direction of the normals counts equally: the leverages n^T (sum n n^T)^-1 n.
/// Without them, ground and ceiling outweigh the surfaces that constrain a horizontal motion.
class DirectionWeights {
public:
    /// @param moments sum of the outer products n n^T of the normals n: xx, xy, xz, yy, yz, zz
    explicit DirectionWeights(std::array<double, 6> moments);
    double operator()(Vec3d normal) const;
    /// Cosine of the angle between a normal and the k-th of the three principal directions of the normals.
    double along(Vec3d normal, std::size_t k) const { return dot(m_axes[k], normal); }

private:
    std::array<Vec3d, 3> m_axes;
    std::array<double, 3> m_inverse{};
};

/// Weighted sums over the surfels of one scan that are compared with the other scan.
struct SurfaceTally {
    double all = 0;                     ///< number of surfels
    double covered = 0;                 ///< number of surfels with a surfel of the other scan within reach
    double agreeing = 0, differing = 0; ///< weights of the surfels that agree; of those that differ or cross
    double floating = 0; ///< weight of surfels without a counterpart, in front of the other scan's surface
    double contradictingSquares = 0; ///< sum of squared weights of surfels that differ, cross or float
    std::array<double, 3> holding{}; ///< number of agreeing surfels that face along each principal direction
                                     ///< of the normals
    double squares = 0;              ///< weighted sum of squared offsets of agreeing surfels, square metres
    SurfaceTally& operator+=(const SurfaceTally& other);
    /// Weight of the agreeing surfels, as a fraction of agreeing, differing and floating ones.
    double agreement() const;
    double overlap() const { return all > 0 ? covered / all : 0; }
    /// Returns how many more surfels contradict the pose in this tally than in `other`, as Kish's effective
    /// sample size, and at most the size for all contradicting surfels. A plain count would be misleading:
    /// one steep surfel outweighs hundreds on the ground of an open field.
    double contradictingBeyond(const SurfaceTally& other) const;
    /// Returns the minimum over all directions of this tally's fraction of constraining surfels, relative to
    /// that of `other`.
    double supportOf(const SurfaceTally& other) const;
};

/// Compares the surfaces of a scan and its target at any pose of the scan.
class SurfaceComparison {
public:
    /// All arguments must outlive the comparison. @param targetPose from the target's frame to the frame of
    /// poses
    /// @param targetIndex in the frame of poses
    SurfaceComparison(const SurfaceIndex& targetIndex, const DepthView& targetDepth,
                      const RigidTransform& targetPose, const ScanSurface& scan);

    /// Compares every `stride`-th surfel of the scan with the target's surfels. @param pose T_target_scan
    std::vector<SurfaceMatch> matches(const RigidTransform& pose, std::size_t stride,
                                      const std::stop_token& stop) const;
    /// Tallies approximately `count` surfels of each scan, compared with the other scan.
    SurfaceTally tally(const RigidTransform& pose, std::size_t count, const std::stop_token& stop) const;
    /// Refines a pose by at most `steps` point-to-plane steps with about `count` of the scan's surfels.
    /// Returns nullopt if too few surfels have a counterpart with the same normal: fewer than 6 of the
    /// selected ones, or fewer than `least` scaled to all surfels.
    std::optional<RigidTransform> settled(RigidTransform pose, int steps, std::size_t count,
                                          std::size_t least, const std::stop_token& stop) const;

    const SurfaceIndex& target() const { return m_target; }
    const ScanSurface& scan() const { return m_scan; }

private:
    const SurfaceIndex& m_target;
    const DepthView& m_targetDepth;
    RigidTransform m_targetPose;
    ScanSurface m_scan;
    std::array<double, 6> m_targetMoments{}, m_scanMoments{}; ///< sums of outer products of the normals
};

/// Least-squares equations of a small motion that aligns matched surfels. The matrix on the left side is the
/// information of the surfaces about the six motions.
class PlaneEquations {
public:
    /// @param middle centre of the rotation, metres
    /// @param lever displacement of the surfaces per unit of rotation, metres
    PlaneEquations(Vec3d middle, double lever) : m_middle(middle), m_lever(lever) {}
    void add(const SurfaceMatch& match, double weight);
    /// Diagonalizes the matrix. Must be called once, after the last match was added.
    void solve();
    /// Returns the i-th eigenvalue of the left side, in ascending order.
    double eigenvalue(int i) const { return m_a[i][i]; }
    /// Returns the displacement of a match's surface by the unit motion of an eigenvector, metres.
    Vec3d velocity(const SurfaceMatch& match, int i) const;
    /// Returns `amount` times the unit motion of an eigenvector as a transformation, in the frame of the
    /// matches.
    RigidTransform motion(int i, double amount) const;
    /// Returns the unit motion of an eigenvector: a translation, and a rotation in units that move the
    /// surfaces by one metre.
    std::array<double, 6> direction(int i) const;
    /// Returns a small motion without its components along orthonormal directions, see direction().
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

/// Mean position of the matches with parallel normals, and the RMS distance from it.
struct Spread {
    Vec3d middle;
    double lever = 1e-3; ///< RMS distance, metres; at least 1 mm
    std::size_t count = 0;
};
Spread spreadOf(std::span<const SurfaceMatch> matches);

} // namespace scanloupe
