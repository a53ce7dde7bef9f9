// Fits a camera to a box, and turns a camera into the single-precision projection of the rasterizer.
#include "kernels/raster/core/camera.h"
#include "kernels/core/number_text.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace scanloupe {

namespace {

constexpr double kMargin = 1.05;   // factor that enlarges the fitted half width and height
constexpr double kNearPart = 1e-4; // distance of the near plane divided by the distance of the target
// Minimum half extent divided by the box's radius: an object seen end-on still needs a distance and a height.
constexpr double kThinnest = 1e-3;
constexpr double kParallelSine = 1e-6; // sine of the angle below which the up direction counts as parallel to
                                       // the view
constexpr int kLargestPicture = 16384;

[[noreturn]] void refuse(const std::string& what) {
    throw KernelError(what, "Reset the view so that it shows the whole scene.");
}

Vec3d rightOf(Vec3d forward, Vec3d up) {
    const double length = norm(up);
    const Vec3d right = cross(forward, up);
    if (!(norm(right) > kParallelSine * length))
        refuse("the camera's up direction is parallel to its view");
    return normalized(right);
}

bool fitsSinglePrecision(Vec3d a) {
    return isFinite(a) && isFinite(a.as<float>());
}

} // namespace

Camera Camera::fit(Vec3d boxMin, Vec3d boxMax, Vec3d direction, double aspect) {
    if (!fitsSinglePrecision(boxMin) || !fitsSinglePrecision(boxMax))
        refuse("the box to show is not finite");
    if (!isFinite(direction) || !(norm(direction) > 0))
        refuse("the direction of view has a length of 0 or is not finite");
    if (!(aspect > 0) || !std::isfinite(aspect))
        refuse("the picture's aspect ratio must be a positive number (got " + shortNumber(aspect) + ")");
    Camera camera;
    const Vec3d forward = normalized(direction);
    if (std::abs(forward.z) > 0.999)
        camera.up = {0, 1, 0};
    const Vec3d right = rightOf(forward, camera.up);
    const Vec3d down = cross(forward, right);
    const Vec3d middle = (boxMin + boxMax) * 0.5;
    const Vec3d half = (max(boxMin, boxMax) - min(boxMin, boxMax)) * 0.5;
    // a box without extent still needs a distance that single precision can resolve
    const double radius = std::max({norm(half), norm(middle) * 1e-5, 1e-6});

    const double tangentY = std::tan(camera.verticalFov / 2), tangentX = tangentY * aspect;
    double distance = radius * 0.1, height = radius * kThinnest;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d offset{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                           corner & 4 ? half.z : -half.z};
        const double x = std::abs(dot(offset, right)), y = std::abs(dot(offset, down));
        const double behind = -dot(offset, forward);
        const double away = std::max({x / tangentX, y / tangentY, radius * kThinnest}) * kMargin;
        distance = std::max(distance, behind + away);
        height = std::max({height, 2 * y * kMargin, 2 * x * kMargin / aspect});
    }
    camera.target = middle;
    camera.eye = middle - forward * distance;
    camera.orthographicHeight = height;
    return camera;
}

Projection::Projection(const Camera& camera, int pictureWidth, int pictureHeight)
    : eye(camera.eye), orthographic(camera.orthographic), width(pictureWidth), height(pictureHeight) {
    if (width < 1 || height < 1 || width > kLargestPicture || height > kLargestPicture)
        throw KernelError("the width and height of a picture must be between 1 and 16384 pixels (got " +
                              std::to_string(width) + " x " + std::to_string(height) + ")",
                          "Choose a width and a height in this range.");
    if (!fitsSinglePrecision(camera.eye) || !fitsSinglePrecision(camera.target) || !isFinite(camera.up))
        refuse("the camera's position, target or up direction is not finite");
    const Vec3d view = camera.target - camera.eye;
    const double distance = norm(view);
    if (!(distance > 0))
        refuse("the camera's position is equal to its target");
    const Vec3d ahead = view / distance;
    const Vec3d aside = rightOf(ahead, camera.up);
    right = aside.as<float>();
    forward = ahead.as<float>();
    down = cross(ahead, aside).as<float>();

    double pixels;
    if (orthographic) {
        if (!(camera.orthographicHeight > 0) || !std::isfinite(camera.orthographicHeight))
            refuse("the orthographic camera's height must be a positive number (got " +
                   shortNumber(camera.orthographicHeight) + ")");
        pixels = height / camera.orthographicHeight;
    } else {
        if (!(camera.verticalFov > 0 && camera.verticalFov < std::numbers::pi))
            refuse("the camera's field of view must be between 0 and 180 degrees (got " +
                   shortNumber(camera.verticalFov * 180 / std::numbers::pi) + ")");
        pixels = height / 2.0 / std::tan(camera.verticalFov / 2);
    }
    scale = static_cast<float>(pixels);
    if (!(camera.nearPlane >= 0) || !std::isfinite(camera.nearPlane))
        refuse("the distance of the camera's near plane must be 0 m or more (got " +
               shortNumber(camera.nearPlane) + ")");
    nearPlane = static_cast<float>(camera.nearPlane > 0 ? camera.nearPlane : distance * kNearPart);
    if (!std::isfinite(scale) || !(scale > 0) || !std::isfinite(nearPlane) ||
        !std::isfinite(1.0f / nearPlane))
        refuse("the camera's scale or near plane exceeds single precision");
    centreX = static_cast<float>(width) / 2;
    centreY = static_cast<float>(height) / 2;
}

Projection Projection::part(int x, int y, int partWidth, int partHeight) const {
    if (x < 0 || y < 0 || partWidth < 1 || partHeight < 1 || x > width - partWidth || y > height - partHeight)
        throw KernelError("a part of a picture must be within its " + std::to_string(width) + " x " +
                              std::to_string(height) + " pixels (got " + std::to_string(partWidth) + " x " +
                              std::to_string(partHeight) + " pixels at " + std::to_string(x) + ", " +
                              std::to_string(y) + ")",
                          "Choose pixels within the picture.");
    Projection p = *this;
    p.offsetX += x;
    p.offsetY += y;
    p.width = partWidth;
    p.height = partHeight;
    return p;
}

Projection Projection::sampledAt(float x, float y) const {
    Projection p = *this;
    p.centreX -= x;
    p.centreY -= y;
    return p;
}

} // namespace scanloupe
