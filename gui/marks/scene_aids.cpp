// Creates grids and trajectories as marks over the views.
#include "gui/marks/scene_aids.h"

#include "engine/cloud/point_cloud.h"
#include "gui/base/length_text.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kSample = 20'000; // points
constexpr double kGroundShare = 0.05;
constexpr double kLinesAcross = 20;
constexpr double kRings = 8;
constexpr int kCorners = 96; // corners of a circle
constexpr std::size_t kMaxMarkers = 200;
const QColor kGridColour(150, 165, 180), kWayColour(255, 140, 40);
const QColor kAxisColours[] = {QColor(230, 80, 70), QColor(90, 190, 90)};

/// Two unit vectors perpendicular to `up`: axes of the frame, x before y before z.
std::array<Vec3d, 2> across(Vec3d up) {
    std::array<Vec3d, 2> axes{};
    std::size_t found = 0;
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        if (found < 2 && std::abs(dot(axis, up)) < 0.5)
            axes[found++] = axis;
    return axes;
}

/// 1, 2 or 5 times a power of ten, at least `length`.
double roundUpTo125Series(double length) {
    const double power = std::pow(10.0, std::floor(std::log10(length)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= length * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

struct Extent {
    double low, high;
    double size() const { return high - low; }
};
Extent extentAlong(const Bounds& bounds, Vec3d axis) {
    const double a = dot(bounds.min, axis), b = dot(bounds.max, axis);
    return {std::min(a, b), std::max(a, b)};
}

QString distanceText(double distance, LengthUnit unit) {
    return withUnit(QLocale().toString(distance, 'g', 6), unit);
}

SceneMark faintLines() {
    SceneMark mark;
    mark.colour = kGridColour;
    mark.faint = true;
    return mark;
}

bool liesAmid(Vec3d p, const Bounds& bounds) {
    const Vec3d margin = (bounds.max - bounds.min) * 0.5 + Vec3d{1, 1, 1};
    const Vec3d low = bounds.min - margin, high = bounds.max + margin;
    return p.x > low.x && p.y > low.y && p.z > low.z && p.x < high.x && p.y < high.y && p.z < high.z;
}

} // namespace

double groundHeight(const PointCloud& cloud, Vec3d up, Vec3d around, double radius) {
    const std::size_t stride = std::max<std::size_t>(1, cloud.size() / kSample);
    std::vector<double> near, all;
    for (std::size_t i = 0; i < cloud.size(); i += stride) {
        const Vec3d p = cloud.position(i);
        if (!isFinite(p))
            continue;
        const double height = dot(p, up);
        all.push_back(height);
        if (norm(p - around - up * dot(p - around, up)) <= radius)
            near.push_back(height);
    }
    std::vector<double>& heights = near.empty() ? all : near;
    if (heights.empty())
        return 0;
    const auto at = heights.begin() + std::ptrdiff_t(kGroundShare * double(heights.size()));
    std::nth_element(heights.begin(), at, heights.end());
    return *at;
}

double GroundHeight::of(const std::shared_ptr<const PointCloud>& cloud, Vec3d up, double radius,
                        Vec3d around) {
    if (m_cloud.lock() != cloud || m_up != up || m_radius != radius || m_around != around) {
        m_cloud = cloud;
        m_up = up;
        m_around = around;
        m_radius = radius;
        m_height = groundHeight(*cloud, up, around, radius);
    }
    return m_height;
}

std::optional<Vec3d> sensorPosition(const PointCloud& cloud) {
    if (cloud.sensor)
        return cloud.sensor->position;
    const Bounds bounds = cloud.bounds();
    const auto isInside = [](double low, double high) { return low < 0 && high > 0; };
    if (isInside(bounds.min.x, bounds.max.x) && isInside(bounds.min.y, bounds.max.y))
        return Vec3d{};
    return std::nullopt;
}

std::vector<SceneMark> groundGrid(const Bounds& bounds, Vec3d up, double height, LengthUnit unit) {
    const auto axes = across(up);
    const Vec3d right = axes[0], ahead = axes[1];
    const Extent x = extentAlong(bounds, right), y = extentAlong(bounds, ahead);
    const double longer = std::max(x.size(), y.size());
    if (!(longer > 0) || !std::isfinite(longer))
        return {};
    const double step = roundUpTo125Series(longer / kLinesAcross);
    const auto place = [&](double a, double b) { return right * a + ahead * b + up * height; };
    const double left = std::floor(x.low / step) * step, near = std::floor(y.low / step) * step;
    const int columns = int(std::ceil((x.high - left) / step)), rows = int(std::ceil((y.high - near) / step));
    SceneMark lines = faintLines();
    for (int i = 0; i <= columns; ++i)
        lines.lines.push_back(
            {place(left + i * step, near), place(left + i * step, near + std::max(rows, 1) * step)});
    for (int i = 0; i <= rows; ++i)
        lines.lines.push_back(
            {place(left, near + i * step), place(left + std::max(columns, 1) * step, near + i * step)});
    lines.text = distanceText(step, unit);
    lines.textAt = place(left + step / 2, near);
    return {lines};
}

std::vector<SceneMark> sensorGrid(const Bounds& bounds, Vec3d sensor, Vec3d up, double height,
                                  LengthUnit unit) {
    const auto [right, ahead] = across(up);
    const Vec3d foot = sensor + up * (height - dot(sensor, up));
    const Extent x = extentAlong(bounds, right), y = extentAlong(bounds, ahead);
    const double far = std::hypot(std::max(x.high - dot(sensor, right), dot(sensor, right) - x.low),
                                  std::max(y.high - dot(sensor, ahead), dot(sensor, ahead) - y.low));
    if (!(far > 0) || !std::isfinite(far))
        return {};
    const double step = roundUpTo125Series(far / kRings);
    std::vector<SceneMark> marks;
    const int rings = int(far / step + 0.5);
    for (int i = 1; i <= rings; ++i) {
        const double radius = i * step;
        SceneMark ring = faintLines();
        std::vector<Vec3d>& circle = ring.lines.emplace_back();
        for (int corner = 0; corner <= kCorners; ++corner) {
            const double angle = 2 * std::numbers::pi * corner / kCorners;
            circle.push_back(foot + right * (radius * std::cos(angle)) + ahead * (radius * std::sin(angle)));
        }
        ring.text = distanceText(radius, unit);
        ring.textAt = foot + right * radius;
        marks.push_back(std::move(ring));
    }
    const Vec3d axes[] = {right, ahead};
    for (std::size_t i = 0; i < std::size(axes); ++i) {
        SceneMark across = faintLines();
        across.lines.push_back({foot - axes[i] * far, foot + axes[i] * far});
        marks.push_back(std::move(across));
        SceneMark axis;
        axis.colour = kAxisColours[i];
        axis.lines.push_back({foot, foot + axes[i] * (step / 2)});
        marks.push_back(std::move(axis));
    }
    return marks;
}

std::optional<SceneMark> trajectoryMark(std::span<const std::optional<RigidTransform>> poses,
                                        const Bounds& bounds) {
    std::vector<Vec3d> way;
    for (const std::optional<RigidTransform>& pose : poses)
        if (pose && liesAmid(pose->translation, bounds))
            way.push_back(pose->translation);
    if (way.size() < 2)
        return std::nullopt;
    SceneMark mark;
    mark.colour = kWayColour;
    const std::size_t stride = std::max<std::size_t>(1, way.size() / kMaxMarkers);
    for (std::size_t i = 0; i < way.size(); i += stride)
        mark.markers.push_back(way[i]);
    mark.lines = {std::move(way)};
    return mark;
}

} // namespace scanloupe::gui
