#pragma once
// Declares the search for a camera that shows a region out of tolerance.
#include "engine/inspect/deviations.h"
#include "kernels/raster/core/camera.h"

#include <stop_token>

namespace scanloupe {

class Attribute;
struct Snapshot;

/// A view of a region.
struct PlaceView {
    Camera camera;       ///< file's frame; looks at DeviationRegion::at
    double x = 0, y = 0; ///< centre of the visible part, measured to the right and down from the picture's
                         ///< centre
    double radius = 0;   ///< radius around that centre; x, y and radius are in picture heights
    bool isSeen = false; ///< false: the region is not visible, because its points are outside the range
};

/// Finds views of the regions of a run whose points have deviations.
class PlaceViews {
public:
    /// @param from provides the projection, the up axis and the preferred side
    PlaceViews(const Snapshot& snapshot, const Camera& from, double aspect);

    /// Returns the closest camera for which most of the region around its largest deviation is visible and
    /// the surroundings fill the picture, looking at the front of the reference. If other points occlude the
    /// region, as the opposite walls of a room do, the camera is moved closer, or looks from behind. @throws
    /// KernelError; Cancelled
    PlaceView of(const DeviationRegion& region, const std::stop_token& stop) const;

private:
    struct Surroundings;
    /// Returns the points around a region. @param extent size of the region around its largest deviation
    /// @param reach distance up to which surrounding points are included
    Surroundings around(const DeviationRegion& region, double extent, double reach,
                        const std::stop_token& stop) const;
    /// Returns the view of a region from a direction.
    /// @param middle is increased by the visible area of the middle of the region, square metres
    PlaceView seenFrom(Vec3d direction, const DeviationRegion& region, double size,
                       const Surroundings& around, double& middle, const std::stop_token& stop) const;

    const Snapshot& m_snapshot;
    const Attribute* m_deviations;
    Camera m_from;
    double m_aspect, m_diagonal;
};

} // namespace scanloupe
