// Converts cameras from and to JSON.
#include "engine/io/common/text/camera_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace scanloupe {

namespace {

using Json = nlohmann::ordered_json;
constexpr double kDegrees = 180.0 / 3.14159265358979323846;

Json toJsonVector(Vec3d v) {
    return Json::array({v.x, v.y, v.z});
}
Vec3d vectorOf(const Json& value) {
    return {value.at(0), value.at(1), value.at(2)};
}

/// Returns degrees that cameraFromJson() converts back to the same radians, bit by bit.
double degreesOf(double radians) {
    const double degrees = radians * kDegrees;
    for (const double near : {degrees, std::nextafter(degrees, 0.0), std::nextafter(degrees, 360.0)})
        if (near / kDegrees == radians)
            return near;
    return degrees;
}

} // namespace

Json toJsonCamera(const Camera& camera) {
    return {{"eye", toJsonVector(camera.eye)},     {"target", toJsonVector(camera.target)},
            {"up", toJsonVector(camera.up)},       {"vertical_fov_degrees", degreesOf(camera.verticalFov)},
            {"orthographic", camera.orthographic}, {"orthographic_height", camera.orthographicHeight},
            {"near_plane", camera.nearPlane}};
}

Camera cameraFromJson(const Json& value) {
    Camera camera;
    camera.eye = vectorOf(value.at("eye"));
    camera.target = vectorOf(value.at("target"));
    if (value.contains("up"))
        camera.up = vectorOf(value.at("up"));
    camera.verticalFov = value.value("vertical_fov_degrees", degreesOf(camera.verticalFov)) / kDegrees;
    camera.orthographic = value.value("orthographic", camera.orthographic);
    camera.orthographicHeight = value.value("orthographic_height", camera.orthographicHeight);
    camera.nearPlane = value.value("near_plane", camera.nearPlane);
    return camera;
}

} // namespace scanloupe
