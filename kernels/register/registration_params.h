#pragma once
// Declares the parameters of a registration by surfaces, and how it may end.
#include "kernels/register/registration_factor.h"

#include <cstdint>

namespace scanloupe {

/// The counterpart of a surface of the scan, and the weight of the pair.
enum class RegistrationMethod : std::uint8_t {
    gicp,  ///< the nearest parallel surface, weighted by the covariances of both
    vgicp, ///< same as gicp, but only with a counterpart in the same cell
    plane, ///< same as gicp, but weighted only by the distance along the counterpart's normal
};
inline constexpr const char* kRegistrationMethodKeys[] = {"gicp", "vgicp", "plane"};

struct RegistrationParams {
    RegistrationMethod method = RegistrationMethod::gicp;
    RobustKernel kernel = RobustKernel::gemanMcClure;
    double scale = 0.3;     ///< scale of the kernel, in edges of the finest cells; coarser levels use larger
                            ///< scales
    double epsilon = 0.001; ///< converged if a step moves the points by less, metres (RMS)
    int maxIterations = 30; ///< maximum number of iterations at each resolution
    bool operator==(const RegistrationParams&) const = default;
};

/// Why a registration ended.
enum class RegistrationEnd : std::uint8_t {
    converged,
    maxIterations, ///< the maximum number of iterations was reached before convergence
    noOverlap,     ///< too few surfaces of the scan are near a surface of the target
    noSurfaces,    ///< the scan has too few surfaces
    noTarget,      ///< the target has too few surfaces
};
/// Returns a clause for messages to the user.
const char* describe(RegistrationEnd end);

} // namespace scanloupe
