// Places cameras for preset views and sensor views so that the subject's points fill the picture.
#include "engine/picture/view.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

/// Returns the viewing direction of a preset, in a frame with z up.
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

/// Returns a camera that shows the whole box. @param direction viewing direction in a frame with z up
Camera fitTurned(const Bounds& box, Vec3d direction, double aspect, UpAxis up) {
    const Vec3d a = toZUp(box.min, up), b = toZUp(box.max, up);
    Camera camera = Camera::fit(min(a, b), max(a, b), direction, aspect);
    for (Vec3d* v : {&camera.eye, &camera.target, &camera.up})
        *v = fromZUp(*v, up);
    return camera;
}

bool isDepthCamera(const PointCloud& cloud) {
    return cloud.sensor && cloud.width > 1 && cloud.height > 1;
}

} // namespace

Vec3d fromZUp(Vec3d v, UpAxis up) {
    switch (up) {
    case UpAxis::x:
        return {v.z, v.y, -v.x};
    case UpAxis::minusX:
        return {-v.z, v.y, v.x};
    case UpAxis::y:
        return {v.x, v.z, -v.y};
    case UpAxis::minusY:
        return {v.x, -v.z, v.y};
    case UpAxis::minusZ:
        return {v.x, -v.y, -v.z};
    case UpAxis::z:
        break;
    }
    return v;
}

Vec3d toZUp(Vec3d v, UpAxis up) {
    switch (up) {
    case UpAxis::x:
        return fromZUp(v, UpAxis::minusX);
    case UpAxis::minusX:
        return fromZUp(v, UpAxis::x);
    case UpAxis::y:
        return fromZUp(v, UpAxis::minusY);
    case UpAxis::minusY:
        return fromZUp(v, UpAxis::y);
    default: // a rotation by half a turn is its own inverse
        return fromZUp(v, up);
    }
}

Vec3d levelUp(Vec3d forward, UpAxis up) {
    constexpr double plan = 1e-6; // sine of the angle to the vertical below which a view counts as a plan
                                  // view
    const Vec3d vertical = upVector(up);
    const bool isPlan = norm(cross(forward, vertical)) <= plan * norm(forward);
    return isPlan ? fromZUp({0, 1, 0}, up) : vertical;
}

Camera cameraFor(const Recipe& recipe, const ViewSubject& subject) {
    if (recipe.camera)
        return *recipe.camera;
    const PointCloud* cloud = subject.cloud;
    const Bounds& box = subject.box;
    const UpAxis up = recipe.up.value_or(UpAxis::z);
    const double aspect = double(recipe.imageWidth) / double(recipe.imageHeight);
    const bool automatic = recipe.view == ViewPreset::automatic;
    if (recipe.view != ViewPreset::sensor && !(automatic && cloud && isDepthCamera(*cloud)))
        return framed(fitTurned(box, directionOf(recipe.view), aspect, up), subject, aspect);
    if (!cloud || !cloud->sensor)
        throw EngineError("The sensor position of this scan is unknown, so there is no view from it.",
                          "Use another view, such as oblique, or give a camera (--camera).");
    const double across = norm(box.max - box.min);
    Vec3d forward = (box.min + box.max) * 0.5 - cloud->sensor->position;
    Camera camera;
    camera.up = upVector(up);
    if (isDepthCamera(*cloud)) { // the frame of a depth camera has x to the right and y downwards
        camera.up = {0, -1, 0};
        forward = {0, 0, norm(forward)};
    } else if (norm(forward) < 0.05 * across) {
        forward = fromZUp({0.25 * across, 0, 0}, up); // a spinning sensor is in the middle of its scan: look
                                                      // along x
    }
    camera.eye = cloud->sensor->position;
    camera.target = camera.eye + forward;
    camera.verticalFov = 1.0;
    return camera;
}

Camera framed(Camera camera, const ViewSubject& subject, double aspect) {
    constexpr double stray = 0.003; // fraction of the points on each side that may be cropped
    // Outliers are cropped if showing them would increase the distance of the eye (orthographic: the
    // picture's height) by more than this factor.
    constexpr double croppedBeyond = 1.25;
    constexpr double margin = 1.06;
    const Vec3d forward = normalized(camera.target - camera.eye);
    const Vec3d right = normalized(cross(forward, camera.up)), down = cross(forward, right);
    const double tangentY = camera.orthographic ? 0 : std::tan(camera.verticalFov / 2) / margin;
    const double tangentX = tangentY * aspect;
    // Each side of the view frustum is a plane through the eye. The first four vectors are the offsets of the
    // points across these planes, and the fifth has their positions along the view.
    std::vector<double> offsets[5];
    for (std::vector<double>& values : offsets)
        values.resize(subject.points.size());
    parallelFor(subject.points.size(), 2048, {}, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d p = subject.points[i].as<double>() + subject.origin;
            const bool inside = subject.isFramed(subject.points[i]);
            const Vec3d v = p - camera.target;
            const double x = dot(v, right), y = dot(v, down), z = dot(v, forward);
            const double values[] = {x - z * tangentX, -x - z * tangentX, y - z * tangentY, -y - z * tangentY,
                                     z};
            for (int k = 0; k < 5; ++k) // min and max ignore NaN
                offsets[k][i] = inside && isFinite(p) ? values[k] : std::numeric_limits<double>::quiet_NaN();
        }
    });
    const std::span<std::vector<double>, 4> sides(offsets, 4);
    std::vector<double>& depths = offsets[4];
    parallelFor(5, 1, {}, [&](std::size_t i, std::size_t) {
        std::erase_if(offsets[i], [](double value) { return std::isnan(value); });
    });
    if (depths.size() < 100)
        return camera;
    const auto rankOf = [](const std::vector<double>& values, double q) {
        return std::size_t(q * double(values.size() - 1));
    };
    // few values are beyond the quantiles, so one pass for each quantile suffices
    const auto high = [&](const std::vector<double>& values, double q) {
        std::vector<double> above(values.size() - rankOf(values, q));
        std::partial_sort_copy(values.begin(), values.end(), above.begin(), above.end(), std::greater<>());
        return above.back();
    };
    const auto low = [&](const std::vector<double>& values, double q) {
        std::vector<double> below(rankOf(values, q) + 1);
        std::partial_sort_copy(values.begin(), values.end(), below.begin(), below.end());
        return below.back();
    };
    // offsets of the side planes (right, left, bottom, top), and position of the eye along the view
    struct Fit {
        double sides[4], nearest, depth;
    };
    Fit most{}, all{};
    double usual = 0;
    parallelFor(5, 1, {}, [&](std::size_t i, std::size_t) {
        if (i < 4) {
            most.sides[i] = high(sides[i], 1 - stray);
            all.sides[i] = *std::max_element(sides[i].begin(), sides[i].end());
        } else {
            most.nearest = low(depths, stray);
            all.nearest = *std::min_element(depths.begin(), depths.end());
            const auto middle = depths.begin() + std::ptrdiff_t(rankOf(depths, 0.5));
            std::nth_element(depths.begin(), middle, depths.end());
            usual = *middle;
        }
    });
    if (camera.orthographic) { // the planes are parallel in pairs
        const auto heightOf = [&](const Fit& fit) {
            return margin * std::max((fit.sides[0] + fit.sides[1]) / aspect, fit.sides[2] + fit.sides[3]);
        };
        const Fit& fit = heightOf(all) <= croppedBeyond * heightOf(most) ? all : most;
        if (!(heightOf(fit) > 0))
            return camera;
        const Vec3d shift =
            right * ((fit.sides[0] - fit.sides[1]) / 2) + down * ((fit.sides[2] - fit.sides[3]) / 2);
        camera.eye = camera.eye + shift;
        camera.target = camera.target + shift;
        camera.orthographicHeight = heightOf(fit);
        return camera;
    }
    for (Fit* fit : {&most, &all}) { // opposite planes intersect at the eye
        const auto& [a, b, c, d] = fit->sides;
        // the pair of planes that requires the larger distance determines it
        fit->depth = std::min({-(a + b) / (2 * tangentX), -(c + d) / (2 * tangentY), fit->nearest});
    }
    const Fit& fit = usual - all.depth <= croppedBeyond * (usual - most.depth) ? all : most;
    const auto& [a, b, c, d] = fit.sides;
    const double depth = fit.depth;
    const Vec3d middle = camera.target;
    camera.eye = middle + right * ((a - b) / 2) + down * ((c - d) / 2) + forward * depth;
    camera.target = camera.eye + forward * (usual - depth);
    if (!(norm(camera.target - camera.eye) > 0))
        camera.target = camera.eye + forward;
    return camera;
}

} // namespace scanloupe
