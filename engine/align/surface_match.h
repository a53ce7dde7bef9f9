#pragma once
// Declares the comparison of a posed scan's surfaces with those of a map: plane-to-plane matches, and the
// point-to-plane equations that they make.
#include "kernels/register/ndt.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A surface of a scan at a pose, and the one of the target that it is compared with. A surface is a cell
/// whose points spread in two directions and hardly in the third.
struct SurfaceMatch {
    Vec3d place, normal;   ///< middle of the scan's surface, normal of the target's; in the map's frame,
                           ///< relative to its origin
    bool surface = false;  ///< the scan's cell is one
    bool covered = false;  ///< the target has one around it
    bool parallel = false; ///< their normals agree within 26 degrees
    double offset = 0;     ///< of `place` along the normal from the target's surface, metres

    /// Whether they are parallel and within an eighth of a cell of edge `edge`.
    bool agrees(double edge) const;
};

/// Matches the scan's cells, at T_target_scan, with the surfaces in the 27 cells around each: the nearest of
/// those that are parallel to it, else the nearest.
/// @param stride takes each stride-th cell
std::vector<SurfaceMatch> matchSurfaces(const NdtMap& target, const NdtMap& scan, const RigidTransform& pose,
                                        std::size_t stride, const std::stop_token& stop);

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
    /// Of the left side, ascending.
    double eigenvalue(int i) const { return m_a[i][i]; }
    /// The unit motion of an eigenvalue, in the map's frame: T_moved_map.
    RigidTransform motion(int i, double amount) const;
    /// The motion that brings the matches together, with the weak directions damped.
    RigidTransform step() const;

private:
    RigidTransform transform(const double (&motion)[6]) const;

    Vec3d m_middle;
    double m_lever;
    double m_a[6][6] = {}, m_v[6][6] = {}, m_b[6] = {};
};

/// The mean place of the matches that `pick` picks, and the RMS distance from it; their count is 0 without
/// any.
struct Spread {
    Vec3d middle;
    double lever = 1e-3; ///< metres, never 0
    std::size_t count = 0;
};
template <class Pick>
Spread spreadOf(std::span<const SurfaceMatch> matches, Pick&& pick) {
    Spread spread;
    for (const SurfaceMatch& match : matches)
        if (std::invoke(pick, match)) {
            spread.middle += match.place;
            ++spread.count;
        }
    if (spread.count == 0)
        return spread;
    spread.middle = spread.middle / double(spread.count);
    double squares = 0;
    for (const SurfaceMatch& match : matches)
        if (std::invoke(pick, match))
            squares += dot(match.place - spread.middle, match.place - spread.middle);
    spread.lever = std::max(std::sqrt(squares / double(spread.count)), spread.lever);
    return spread;
}

} // namespace scanloupe
