// Rotates the automatic camera so that it looks across the long horizontal axis of its subject.
#include "engine/picture/opening_view.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace scanloupe {

namespace {

constexpr double kLong = 1.5;  // minimum ratio of the standard deviations along and across a long axis
constexpr double kGain = 0.95; // maximum ratio of the eye's distances after and before the rotation
// Angles between the view and the long axis, degrees. The first is oblique, so that the picture has depth.
constexpr double kAngles[] = {65, 80};
constexpr std::size_t kFew = 100; // with fewer points, no axis is determined

/// A direction in the horizontal plane of a frame with z up.
struct Heading {
    double x, y;
};

double dot(Heading a, Heading b) {
    return a.x * b.x + a.y * b.y;
}

/// Returns the unit vector of the horizontal axis with the largest variance of the points in the box; none if
/// that variance is not much larger than the variance across the axis.
std::optional<Heading> longAxis(const ViewSubject& subject, UpAxis up) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    const Vec3d middle = (subject.box.min + subject.box.max) * 0.5;
    for (const Vec3f& point : subject.points) {
        if (!subject.isFramed(point))
            continue;
        const Vec3d p = point.as<double>() + subject.origin;
        const Vec3d q = toZUp(p - middle, up);
        n += 1;
        sx += q.x;
        sy += q.y;
        sxx += q.x * q.x;
        sxy += q.x * q.y;
        syy += q.y * q.y;
    }
    if (n < double(kFew))
        return std::nullopt;
    const double xx = sxx / n - sx / n * sx / n, xy = sxy / n - sx / n * sy / n,
                 yy = syy / n - sy / n * sy / n;
    // eigenvalues of the symmetric matrix [xx xy; xy yy]
    const double mean = (xx + yy) / 2, apart = std::hypot((xx - yy) / 2, xy);
    if (!(mean + apart > kLong * kLong * (mean - apart)))
        return std::nullopt;
    const double angle = std::atan2(2 * xy, xx - yy) / 2;
    return Heading{std::cos(angle), std::sin(angle)};
}

/// Returns the heading nearest to `from` that has the given angle to the axis.
Heading across(Heading axis, double angle, Heading from) {
    const double c = std::cos(angle), s = std::sin(angle);
    Heading best = from;
    double nearest = -2;
    for (const double along : {c, -c})
        for (const double aside : {s, -s}) {
            const Heading heading{axis.x * along - axis.y * aside, axis.y * along + axis.x * aside};
            if (const double near = dot(heading, from); near > nearest) {
                nearest = near;
                best = heading;
            }
        }
    return best;
}

} // namespace

Camera openingCamera(const Recipe& recipe, const ViewSubject& subject) {
    const Camera usual = cameraFor(recipe, subject);
    const bool isFromSensor =
        subject.cloud && subject.cloud->sensor && usual.eye == subject.cloud->sensor->position;
    const UpAxis up = recipe.up.value_or(UpAxis::z);
    if (recipe.camera || recipe.view != ViewPreset::automatic || isFromSensor)
        return usual;
    const std::optional<Heading> axis = longAxis(subject, up);
    if (!axis)
        return usual;
    const Vec3d ahead = toZUp(usual.target - usual.eye, up);
    const double level = std::hypot(ahead.x, ahead.y);
    Camera best = usual;
    for (const double degrees : kAngles) {
        const Heading heading =
            across(*axis, degrees * std::numbers::pi / 180, {ahead.x / level, ahead.y / level});
        Camera turned = usual;
        turned.eye = turned.target - fromZUp({heading.x * level, heading.y * level, ahead.z}, up);
        turned = framed(turned, subject, double(recipe.imageWidth) / double(recipe.imageHeight));
        if (norm(turned.target - turned.eye) < kGain * norm(best.target - best.eye))
            best = turned;
    }
    return best;
}

} // namespace scanloupe
