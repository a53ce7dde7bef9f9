#pragma once
// Declares the search for the camera that shows a region out of tolerance.
#include "engine/inspect/deviations.h"
#include "kernels/raster/core/camera.h"

#include <stop_token>

namespace scanloupe {

class Attribute;
struct Snapshot;

/// A view of a place.
struct PlaceView {
    Camera camera;       ///< file's frame; looks at DeviationRegion::at
    double x = 0, y = 0; ///< centre of the visible part, right and down from the picture's centre
    double radius = 0;   ///< radius around it; all three in heights of the picture
    bool isSeen = false; ///< false: not visible, as the range leaves its points out
};

/// A run whose points have deviations, for views of its regions.
class PlaceViews {
public:
    /// @param from provides the kind of camera, its up axis and the preferred side among equal ones
    /// @param aspect width / height of the pictures
    PlaceViews(const Snapshot& snapshot, const Camera& from, double aspect);

    /// The closest camera with which most of the region around its largest deviation is visible and its
    /// surroundings fill the picture, looking at the front of the reference. Where other points occlude it,
    /// as the opposite walls of a room do, closer; else from behind. @throws KernelError; Cancelled
    PlaceView of(const DeviationRegion& region, const std::stop_token& stop) const;

private:
    struct Surroundings;
    /// @param extent size of the region around its largest deviation @param reach distance of the surrounding
    /// points
    Surroundings around(const DeviationRegion& region, double extent, double reach,
                        const std::stop_token& stop) const;
    /// @param middle increased by the visible area of the middle of the region, square metres
    PlaceView seenFrom(Vec3d direction, const DeviationRegion& region, double size,
                       const Surroundings& around, double& middle, const std::stop_token& stop) const;

    const Snapshot& m_snapshot;
    const Attribute* m_deviations;
    Camera m_from;
    double m_aspect, m_diagonal;
};

} // namespace scanloupe
