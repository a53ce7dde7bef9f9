#pragma once
// Declares the search for the camera that shows a place out of tolerance.
#include "engine/inspect/deviations.h"
#include "engine/results/snapshot.h"
#include "kernels/raster/core/camera.h"

#include <stop_token>

namespace scanloupe {

/// How a place is seen.
struct PlaceView {
    Camera camera;       ///< file's frame; looks at DeviationRegion::at
    double x = 0, y = 0; ///< middle of what is seen of the place, right and down from the picture's middle
    double radius = 0;   ///< around it; all three in heights of the picture
    bool isSeen = false; ///< false: from no side, as the range leaves its points out
};

/// A run whose points have deviations, for views of its places.
class PlaceViews {
public:
    /// @param from gives the kind of camera, its up axis and the side that is taken of equal ones
    /// @param aspect width / height of the pictures
    PlaceViews(const Snapshot& snapshot, const Camera& from, double aspect);

    /// The camera from which most of the place around its largest deviation is seen, so near that its
    /// surroundings fill the picture: from where the reference faces. Where other points hide it there, as
    /// the opposite walls of a room do, nearer still; else from behind.
    /// @throws KernelError; Cancelled
    PlaceView of(const DeviationRegion& region, const std::stop_token& stop) const;

private:
    struct Surroundings;
    /// @param extent of the place around its largest deviation @param reach of the points around it
    Surroundings around(const DeviationRegion& region, double extent, double reach,
                        const std::stop_token& stop) const;
    /// @param middle square metres that are seen of the middle of the place are added to it
    PlaceView seenFrom(Vec3d direction, const DeviationRegion& region, double size,
                       const Surroundings& around, double& middle, const std::stop_token& stop) const;

    const Snapshot& m_snapshot;
    const Attribute* m_deviations;
    Camera m_from;
    double m_aspect, m_diagonal;
};

} // namespace scanloupe
