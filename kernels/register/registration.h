#pragma once
// Registers a scan to a map of surface patches: finds the rigid transform under which the scan's surfaces lie
// on the map's, by GICP, VGICP or point-to-plane ICP, coarse to fine.
#include "kernels/core/cost.h"
#include "kernels/register/registration_params.h"
#include "kernels/register/surface_map.h"

#include <array>
#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// How well the surfaces constrain the six degrees of freedom: translation x, y, z along the target's axes,
/// then rotation about those axes through the scan's centre.
struct RegistrationGeometry {
    Vec3d middle; ///< mean of the scan's surfaces at the pose, in the target's frame
    /// Curvatures of the error, ascending, along motions that each move the surfaces by 1 m (RMS). They are
    /// divided by the sum of the curvatures along the three translations.
    std::array<double, 6> eigenvalues{};
    std::array<double, 36> directions{}; ///< the motions of `eigenvalues`, one per row: three translations in
                                         ///< metres, then three rotations in radians
    int weak = 0;                        ///< number of leading directions that barely any normal constrains
};

struct RegistrationResult {
    RigidTransform pose; ///< T_target_source, between the frames of the two scans' full coordinates
    RegistrationEnd end = RegistrationEnd::noSurfaces;
    int iterations = 0;            ///< number of iterations, summed over all resolutions
    double distance = 0;           ///< weighted RMS distance of the surfaces that have a counterpart, metres
    std::uint64_t surfaces = 0;    ///< number of surfaces of the scan at the finest resolution
    std::uint64_t matched = 0;     ///< number of these surfaces that have a counterpart
    RegistrationGeometry geometry; ///< geometry at `pose`
    Cost cost;

    bool converged() const { return end == RegistrationEnd::converged; }
};

namespace cpu {
/// Registers `source` to `target` from the pose `start`, T_target_source, which may be off by about the edge
/// of the coarsest cells and 10 degrees. Gauss-Newton steps do not change the motions that the surfaces do
/// not constrain (solution remapping: Zhang, Kaess, Singh, "On degeneracy of optimization-based state
/// estimation problems", 2016), and the result is where it started along those. All sums are in double
/// precision, in an order that depends on the number of surfaces alone. @param target, source of the same
/// edges
/// @throws KernelError for parameters out of range, a start that is no rotation or when out of memory;
/// Cancelled.
RegistrationResult registerSurfaces(const SurfacePyramid& target, const SurfacePyramid& source,
                                    const RigidTransform& start, const RegistrationParams& params,
                                    const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
