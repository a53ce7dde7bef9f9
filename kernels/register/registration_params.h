#pragma once
// Declares the parameters of a registration by surfaces, and how it may end.
#include "kernels/register/registration_factor.h"

#include <cstdint>

namespace scanloupe {

/// The factor that a surface of the scan and its counterpart give.
enum class RegistrationMethod : std::uint8_t {
    gicp,  ///< the nearest parallel surface, weighted by the covariances of both
    vgicp, ///< as gicp, with a counterpart in the same cell alone
    plane, ///< as gicp, weighted by the distance along the counterpart's normal alone
};
inline constexpr const char* kRegistrationMethodKeys[] = {"gicp", "vgicp", "plane"};

struct RegistrationParams {
    RegistrationMethod method = RegistrationMethod::gicp;
    RobustKernel kernel = RobustKernel::gemanMcClure;
    double scale = 0.3;     ///< scale of the kernel, in edges of the finest cells; larger in coarse cells
    double epsilon = 0.001; ///< converged where a step moves the points by less, metres (RMS)
    int maxIterations = 30; ///< maximum at each resolution
    bool operator==(const RegistrationParams&) const = default;
};

/// Why a registration ended.
enum class RegistrationEnd : std::uint8_t {
    converged,
    maxIterations, ///< ended before it converged
    noOverlap,     ///< too few surfaces of the scan lie near any of the target
    noSurfaces,    ///< the scan has too few surfaces
    noTarget,      ///< the target has too few surfaces
};
/// A clause for messages to the user.
const char* describe(RegistrationEnd end);

} // namespace scanloupe
