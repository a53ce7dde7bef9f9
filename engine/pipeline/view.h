#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"

#include <span>

namespace scanloupe {

/// A direction or a place of a scan with z up, turned so that `up` points upwards: about x to y, about y to
/// x. Without rounding; with z, the same.
Vec3d turnedUp(Vec3d v, UpAxis up);
/// The turn back.
Vec3d turnedBack(Vec3d v, UpAxis up);
/// The axis itself.
inline Vec3d upVector(UpAxis up) {
    return turnedUp({0, 0, 1}, up);
}
/// What is upwards in a picture whose camera looks along `forward` and does not lean: `up`; in a plan, what
/// is upwards in plans of scans with z up, y (north).
Vec3d levelUp(Vec3d forward, UpAxis up);

/// What a picture is to show; `cloud` is null for a volume.
struct ViewSubject {
    Bounds box;                    ///< file's frame
    std::span<const Vec3f> points; ///< [N, 3] relative to `origin`; those in the box are framed
    Vec3d origin;
    const PointCloud* cloud = nullptr;
};

/// The camera that a picture of the recipe is taken with, in the file's frame: the recipe's own, or one that
/// shows the subject from the side that the recipe names, as large as its points allow, without a few stray
/// ones that would make it much smaller.
/// @throws EngineError when the view from the sensor is wanted and nobody knows where it stood.
Camera cameraFor(const Recipe& recipe, const ViewSubject& subject);

/// `camera` moved, but not turned, so that the subject's points fill the picture.
Camera framed(Camera camera, const ViewSubject& subject, double aspect);

} // namespace scanloupe
