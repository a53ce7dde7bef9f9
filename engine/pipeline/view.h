#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"

#include <span>

namespace scanloupe {

/// What a picture is to show; `cloud` is null for a volume.
struct ViewSubject {
    Bounds box;                    ///< file's frame
    std::span<const Vec3f> points; ///< [N, 3] relative to `origin`; those in the box are framed
    Vec3d origin;
    const PointCloud* cloud = nullptr;
};

/// The camera that a picture of the recipe is taken with, in the file's frame: the recipe's own, or one that
/// shows the subject from the side that the recipe names, as large as all but a few stray points allow.
/// @throws EngineError when the view from the sensor is wanted and nobody knows where it stood.
Camera cameraFor(const Recipe& recipe, const ViewSubject& subject);

/// `camera` moved, but not turned, so that the subject's points fill the picture.
Camera framed(Camera camera, const ViewSubject& subject, double aspect);

} // namespace scanloupe
