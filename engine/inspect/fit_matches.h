#pragma once
// Declares the counterparts of points on a reference, for fits.
#include "engine/inspect/fit.h"

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
    double distance = 0; ///< metres; its root, with the sign of the side; NaN: there is no counterpart
};

/// Finds counterparts of points that move.
class FitMatcher {
public:
    virtual ~FitMatcher() = default;
    /// [M] of every `stride`-th of the rows' points, where they lie now. @param turned how they were turned
    virtual std::vector<FitMatch> match(std::span<const Vec3d> points, std::size_t stride,
                                        const RigidTransform& turned) = 0;
};

/// @param points before they move; all that a local plane may go through
/// @param rows [N] of those that are matched @param reference has to outlive it
std::unique_ptr<FitMatcher> fitMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                                       const Reference& reference, const FitOptions& options,
                                       const Execution& on);

} // namespace scanloupe
