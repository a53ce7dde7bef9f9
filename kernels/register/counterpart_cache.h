#pragma once
// Reuses the counterparts of a scan's surfaces from iteration to iteration on the CPU, where motions are
// short.
#include "kernels/register/surface_factors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace scanloupe {

/// The counterparts of SurfaceFactors::counterpart(), found again only once a surface has moved so far that
/// another patch may be nearer: half of the difference between its distances from the nearest patch and from
/// any other. Not for VGICP. Different surfaces may be looked up by several threads at once.
class CounterpartCache {
public:
    CounterpartCache() = default;
    explicit CounterpartCache(std::uint32_t surfaces) : m_known(surfaces) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(m_known.size()); }
    /// @param x, normal of surface `i`, as in SurfaceFactors::counterpart()
    std::uint32_t counterpart(const SurfaceFactors& factors, std::uint32_t i, Vec3d x, Vec3d normal) {
        Known& known = m_known[i];
        if (!isSame(factors.target, known, x, normal))
            known = search(factors.target, x, normal);
        return known.patch;
    }

private:
    /// Change of a normal up to which patches of other directions stay out of account.
    static constexpr double kTurned = 0.05;
    /// Edges by which cells are searched beyond the nearest patch, so that its lead is known.
    static constexpr double kBeyond = 0.15;
    static constexpr double kRounding = 1e-6; ///< edges

    struct Known {
        Vec3d x;
        Vec3f normal;
        std::uint32_t patch = kNoPatch;
        double lead = -1;      ///< metres that `x` may move by
        bool isInCell = false; ///< as long as it stays in its cell: other cells come into account elsewhere
    };

    static bool isSame(const SurfaceMapView& target, const Known& known, Vec3d x, Vec3d normal) {
        if (!(squaredNorm(x - known.x) < known.lead * std::fabs(known.lead)) ||
            squaredNorm(normal - known.normal.as<double>()) > kTurned * kTurned)
            return false;
        if (known.patch != kNoPatch && target.cosine(target.patches[known.patch], normal) < kParallelCosine)
            return false;
        Vec3i here, there;
        return !known.isInCell || (ndtCellOf(1 / target.edge, x, here) &&
                                   ndtCellOf(1 / target.edge, known.x, there) && here == there);
    }

    static Known search(const SurfaceMapView& target, Vec3d x, Vec3d normal) {
        const double edge = target.edge, gate = kGate * edge;
        Known known{x, normal.as<float>()};
        Vec3i cell;
        if (!ndtCellOf(1 / edge, x, cell))
            return known;
        const Vec3d low = x - cell.as<double>() * edge;
        double least = gate * gate, wide = std::numeric_limits<double>::infinity();
        double others = wide; // square of the distance that all other patches have at least
        for (int k = 0; k < 27; ++k) {
            const Vec3i step = ndtNeighbour(k);
            const double gap = SurfaceFactors::squaredGap(step, low, edge);
            if (gap >= wide) {
                others = std::min(others, gap);
                continue;
            }
            for (std::uint32_t i = target.firstIn(cell + step); i != kNoPatch; i = target.patches[i].next) {
                const SurfacePatch& patch = target.patches[i];
                const double apart = squaredNorm(x - patch.mean), cosine = target.cosine(patch, normal);
                if (apart < least && cosine >= kParallelCosine) {
                    if (known.patch != kNoPatch)
                        others = std::min(others, least);
                    least = apart;
                    known.patch = i;
                    const double reach = std::sqrt(least) + kBeyond * edge;
                    wide = reach * reach;
                } else if (cosine >= kParallelCosine - kTurned - kRounding) {
                    others = std::min(others, apart);
                }
            }
        }
        const double apart = std::sqrt(others), away = std::sqrt(least);
        if (known.patch == kNoPatch)
            known.lead = apart - gate; // all patches around stay out of reach
        else if (away < edge)
            known.lead = 0.5 * (std::min(apart, edge) - away); // cells come into account an edge away
        else
            known.lead = std::min(0.5 * (apart - away), gate - away);
        known.isInCell = known.patch == kNoPatch || away >= edge;
        known.lead -= kRounding * edge;
        return known;
    }

    std::vector<Known> m_known;
};

} // namespace scanloupe
