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

/// A match between a point and its counterpart.
struct FitMatch {
    Vec3d offset;            ///< vector from the counterpart to the point, metres
    Vec3d normal;            ///< unit normal of the reference at the counterpart
    Information information; ///< offset' * information * offset is a squared distance
    double squaredTilt = 0;  ///< variance of the directions of the normals, radians squared
    double distance = 0;     ///< signed square root of that squared distance, metres; NaN: there is no
                             ///< counterpart
    bool isOutside = false;  ///< there is no counterpart, because the point is beyond the boundary of the
                             ///< reference or too far away
};

/// Finds counterparts of moving points.
class FitMatcher {
public:
    virtual ~FitMatcher() = default;
    /// Returns the matches of some of the rows, [M].
    /// @param points [M] current positions
    /// @param which [M] indices of the rows
    /// @param turned current rotation of the points
    /// @param method the method of the options, or pointToPlane
    virtual std::vector<FitMatch> match(std::span<const Vec3d> points, std::span<const std::uint32_t> which,
                                        const RigidTransform& turned, FitMethod method) = 0;
};

/// Creates a matcher.
/// @param points original positions, including all points that local planes may be fitted to
/// @param rows [N] rows to be matched
/// @param reference must outlive the result
std::unique_ptr<FitMatcher> fitMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                                       const Reference& reference, const FitOptions& options,
                                       const Execution& on);

} // namespace scanloupe
