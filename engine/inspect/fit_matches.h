#pragma once
// Declares the counterparts of points on a reference, for fits.
#include "engine/inspect/fit.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scanloupe {

/// A point and its counterpart.
struct FitMatch {
    Vec3d offset; ///< of the point from it, metres
    Vec3d normal; ///< unit vector of the reference there
    /// offset' information offset is a squared distance: of pointToPlane, the one along the normal.
    double information[3][3] = {};
    double squaredTilt = 0; ///< variance of the normal's direction, radians squared
    double distance = 0;    ///< metres; its root, with the sign of the side; NaN: there is no counterpart
    bool isOutside = false; ///< there is none since the reference ends before, or is too far away
};

/// Finds counterparts of points that move.
class FitMatcher {
public:
    virtual ~FitMatcher() = default;
    /// [M] of some of the rows. @param points where they lie now @param which numbers of the rows, [M]
    /// @param turned how they were turned @param method that of the options, or pointToPlane
    virtual std::vector<FitMatch> match(std::span<const Vec3d> points, std::span<const std::uint32_t> which,
                                        const RigidTransform& turned, FitMethod method) = 0;
};

/// @param points before they move; all that a local plane may go through
/// @param rows [N] of those that are matched @param reference has to outlive it
std::unique_ptr<FitMatcher> fitMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                                       const Reference& reference, const FitOptions& options,
                                       const Execution& on);

} // namespace scanloupe
