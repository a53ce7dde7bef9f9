#include "engine/pipeline/view.h"

#include "engine/cloud/error.h"

namespace scanloupe {

namespace {

/// The direction that a preset looks along.
Vec3d directionOf(ViewPreset view) {
    switch (view) {
    case ViewPreset::top:
        return {0, 0, -1};
    case ViewPreset::bottom:
        return {0, 0, 1};
    case ViewPreset::front:
        return {0, 1, 0};
    case ViewPreset::back:
        return {0, -1, 0};
    case ViewPreset::left:
        return {1, 0, 0};
    case ViewPreset::right:
        return {-1, 0, 0};
    default:
        return {0.55, 0.7, -0.5};
    }
}

bool isDepthCamera(const PointCloud& cloud) {
    return cloud.sensor && cloud.width > 1 && cloud.height > 1;
}

} // namespace

Camera cameraFor(const Recipe& recipe, const Bounds& box, const PointCloud* cloud) {
    if (recipe.camera)
        return *recipe.camera;
    const double aspect = double(recipe.imageWidth) / double(recipe.imageHeight);
    const bool automatic = recipe.view == ViewPreset::automatic;
    if (recipe.view == ViewPreset::sensor || (automatic && cloud && isDepthCamera(*cloud))) {
        if (!cloud || !cloud->sensor)
            throw EngineError(
                "Nobody knows where the sensor of this scan stood, so there is no view from it.",
                "Take another view, such as oblique, or give a camera.");
        // a depth camera's frame has x to the right and y downwards
        const Vec3d up = isDepthCamera(*cloud) ? Vec3d{0, -1, 0} : Vec3d{0, 0, 1};
        const Vec3d centre = (box.min + box.max) * 0.5;
        Vec3d forward = centre - *cloud->sensor;
        if (isDepthCamera(*cloud)) {
            forward = {0, 0, norm(forward)};
        } else if (norm(forward) < 0.05 * norm(box.max - box.min)) {
            forward = {norm(box.max - box.min) * 0.25, 0,
                       0}; // a turning sensor stands amid its scan: look along x
        }
        Camera camera;
        camera.eye = *cloud->sensor;
        camera.target = camera.eye + forward;
        camera.up = up;
        camera.verticalFov = 1.0;
        return camera;
    }
    return Camera::fit(box.min, box.max, directionOf(recipe.view), aspect);
}

} // namespace scanloupe
