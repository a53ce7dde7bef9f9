#pragma once
// Declares the counterparts of points on a reference, for fits.
#include "engine/inspect/fit/fit.h"
#include "kernels/register/registration_factor.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scanloupe {

struct Reference;

/// A point and its counterpart.
struct FitMatch {
    Vec3d offset;            ///< of the point from it, metres
    Vec3d normal;            ///< unit vector of the reference there
    Information information; ///< offset' information offset is a squared distance
    double squaredTilt = 0;  ///< variance of the normals' directions, radians squared
    double distance = 0;     ///< metres; its root, with the sign of the side; NaN: there is no counterpart
    bool isOutside = false;  ///< there is none since the reference ends before, or is too far away
};

/// Finds counterparts of points that move.
class FitMatcher {
public:
    virtual ~FitMatcher() = default;
    /// [M] matches of some of the rows. @param points current positions, [M] @param which indices of the
    /// rows, [M] @param turned current rotation of the points @param method that of the options, or
    /// pointToPlane
    virtual std::vector<FitMatch> match(std::span<const Vec3d> points, std::span<const std::uint32_t> which,
                                        const RigidTransform& turned, FitMethod method) = 0;
};

/// @param points original positions, including all that local planes may be fitted to
/// @param rows [N] rows to be matched @param reference must outlive the result
std::unique_ptr<FitMatcher> fitMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                                       const Reference& reference, const FitOptions& options,
                                       const Execution& on);

} // namespace scanloupe
