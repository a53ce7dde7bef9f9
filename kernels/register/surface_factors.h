#pragma once
// Finds the counterparts of a scan's surfaces in a map and sums the factors of both, for both backends.
#include "kernels/register/registration_factor.h"
#include "kernels/register/registration_params.h"
#include "kernels/register/surface_patch.h"

#include <cmath>
#include <cstdint>

namespace scanloupe {

inline constexpr double kParallelCosine = 0.7; ///< cosine of 45 degrees: an angle larger than the error of a
                                               ///< start pose, and smaller than the angle at corners
/// Maximum distance of counterparts, in edges; the 27 searched cells reach up to two edges.
inline constexpr double kGate = 2;

/// The patches of a scan, and the map that they are compared with.
struct SurfaceFactors {
    SurfaceMapView target;
    const SurfacePatch* source = nullptr; // [count]
    std::uint32_t count = 0;
    Vec3d origin; ///< origin of the source's map
    RegistrationMethod method = RegistrationMethod::gicp;
    RobustKernel kernel = RobustKernel::none;

    /// Adds the factor of patch `i`, if it has a counterpart. @param pose local pose, see NdtFrame
    /// @param shift vector from the source's coordinates to those relative to the scan's centre @param scale
    /// scale of the robust kernel, metres
    HD void add(const RigidTransform& pose, Vec3d shift, double scale, std::uint32_t i,
                FactorSums& sums) const {
        add(pose, shift, scale, i, sums, [this](Vec3d x, Vec3d normal) { return counterpart(x, normal); });
    }
    /// As above. @param find returns counterpart(x, normal)
    template <class Find>
    HD void add(const RigidTransform& pose, Vec3d shift, double scale, std::uint32_t i, FactorSums& sums,
                Find&& find) const {
        const SurfacePatch patch = source[i];
        const Vec3d y = pose.rotate(patch.mean + shift), x = y + pose.translation;
        const Vec3d normal = pose.rotate(patch.normal.as<double>());
        const std::uint32_t there = find(x, normal);
        if (there == kNoPatch)
            return;
        Vec3d other = target.patches[there].normal.as<double>();
        other = dot(other, normal) < 0 ? -other : other;
        const Information information =
            method == RegistrationMethod::plane ? planeInformation(other) : gicpInformation(other, normal);
        addFactor(sums, y, x - target.patches[there].mean, information, kernel, scale);
    }

    /// Returns the nearest patch with a similar normal; among equally near patches, the first one found;
    /// kNoPatch if there is none.
    HD std::uint32_t counterpart(Vec3d x, Vec3d normal) const {
        const double edge = target.edge;
        Vec3i cell;
        if (!ndtCellOf(1 / edge, x, cell))
            return kNoPatch;
        const Vec3d low = x - cell.as<double>() * edge;
        const int cells = method == RegistrationMethod::vgicp ? 1 : 27;
        double least = kGate * kGate * edge * edge;
        std::uint32_t nearest = kNoPatch;
        for (int k = 0; k < cells; ++k) {
            const Vec3i step = ndtNeighbour(k);
            if (squaredGap(step, low, edge) >= least)
                continue; // no patch of that cell can be nearer
            for (std::uint32_t i = target.firstIn(cell + step); i != kNoPatch;) {
                const SurfacePatch patch = target.patches[i];
                const double apart = squaredNorm(x - patch.mean);
                if (apart < least && target.cosine(patch, normal) >= kParallelCosine) {
                    least = apart;
                    nearest = i;
                }
                i = patch.next;
            }
        }
        return nearest;
    }

    /// From a point at `x` above the lowest corner of its cell to a neighbouring cell.
    static HD double squaredGap(Vec3i step, Vec3d x, double edge) {
        const auto along = [edge](std::int32_t way, double at) {
            const double gap = way == 0 ? 0 : way < 0 ? at : edge - at;
            return gap * gap;
        };
        return along(step.x, x.x) + along(step.y, x.y) + along(step.z, x.z);
    }
};

/// Centre of rotation and extent of the finest patches of a scan, relative to their map's origin. Computed
/// from the sums of addMean() first, then of addMoments().
struct SurfaceSpread {
    Vec3d middle;
    double moments[6]; ///< see NdtSpread
};
HD inline void addMean(const SurfacePatch& patch, FactorSums& sums) {
    sums.terms[0] += patch.mean.x;
    sums.terms[1] += patch.mean.y;
    sums.terms[2] += patch.mean.z;
}
HD inline Vec3d meanOf(const FactorSums& sums, std::uint32_t count) {
    return Vec3d{sums.terms[0], sums.terms[1], sums.terms[2]} / double(count);
}
HD inline void addMoments(const SurfacePatch& patch, Vec3d middle, FactorSums& sums) {
    NdtSums moments;
    moments.add(patch.mean - middle);
    for (int i = 0; i < 6; ++i)
        sums.terms[i] += moments.squares[i];
}
HD inline SurfaceSpread spreadOf(Vec3d middle, const FactorSums& moments, std::uint32_t count) {
    SurfaceSpread spread{middle, {}};
    for (int i = 0; i < 6; ++i)
        spread.moments[i] = moments.terms[i] / double(count);
    return spread;
}

// The order of the sums. Patch i belongs to lane i % 32 of logical warp (i / 32) % surfaceWarps(count). A
// lane adds up its patches from first to last; the sums of the lanes are added up as a tree, with lanes half
// a warp apart first, then those of the warps as a tree, neighbours first. The result does not depend on
// which thread runs a warp, nor on how many run concurrently.

inline constexpr unsigned kSurfaceLanes = 32;
/// Returns the number of logical warps, a power of two. Each lane has one patch for up to 32 thousand
/// patches.
HD constexpr unsigned surfaceWarps(std::uint32_t count) {
    unsigned warps = 8;
    while (warps < 1024 && warps * kSurfaceLanes < count)
        warps *= 2;
    return warps;
}

} // namespace scanloupe
