// Draws weak directions and alternatives of poses as marks of the views.
#include "gui/marks/pose_marks.h"

#include "gui/text/pose_verdict_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <numbers>

namespace scanloupe::gui {

namespace {

constexpr int kArcParts = 48;
const QColor kWeakColour(255, 96, 64);
// bright, to stand out from the points, and distinguishable with most kinds of colour blindness
const std::array kAlternativeColours{QColor(255, 130, 200), QColor(90, 200, 255), QColor(255, 205, 70),
                                     QColor(160, 240, 130)};

/// Scales the two turns down in proportion, so that their sum is at most 2π.
std::array<double, 2> turnsOf(const WeakDirection& weak) {
    const double perMetre = norm(weak.rotation), all = weak.length() * perMetre;
    const double share = all > 2 * std::numbers::pi ? 2 * std::numbers::pi / all : 1;
    return {-weak.back * perMetre * share, weak.forth * perMetre * share};
}

/// The arc along which the surfaces move, at their mean (RMS) distance from the axis.
std::vector<Vec3d> arcOf(const WeakDirection& weak, Vec3d middle) {
    const Vec3d axis = normalized(weak.rotation);
    const double radius = std::sqrt(1 - squaredNorm(weak.translation)) / norm(weak.rotation);
    const Vec3d across = std::abs(axis.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d right = normalized(across - axis * dot(across, axis)), ahead = cross(axis, right);
    const auto [from, to] = turnsOf(weak);
    std::vector<Vec3d> arc;
    for (int i = 0; i <= kArcParts; ++i) {
        const double angle = from + (to - from) * i / kArcParts;
        arc.push_back(middle + (right * std::cos(angle) + ahead * std::sin(angle)) * radius);
    }
    return arc;
}

SceneMark weakMark(const WeakDirection& weak, Vec3d middle, LengthUnit unit) {
    SceneMark mark;
    mark.colour = kWeakColour;
    mark.arrows = mark.textAvoidsOthers = true;
    mark.lines = {weak.isTurn() ? arcOf(weak, middle)
                                : std::vector{middle - weak.translation * weak.back,
                                              middle + weak.translation * weak.forth}};
    mark.text = weakDirectionText(weak, unit);
    mark.textAt = weak.isTurn() ? mark.lines.front()[kArcParts / 2] : middle;
    return mark;
}

SceneMark alternativeMark(const PoseRival& rival, Vec3d middle, std::span<const Vec3d> sample, QColor colour,
                          const RigidTransform& pose, LengthUnit unit) {
    auto points = std::make_shared<std::vector<Vec3d>>();
    points->reserve(sample.size());
    std::ranges::transform(sample, std::back_inserter(*points), rival.pose);
    SceneMark mark;
    mark.colour = colour;
    mark.textAvoidsOthers = true;
    mark.points = std::move(points);
    mark.markers = {rival.pose(middle)};
    mark.dashedLines = {{pose(middle), rival.pose(middle)}};
    mark.text = alternativeText(rival, unit);
    mark.textAt = mark.markers.front();
    return mark;
}

/// @param sample at least one point
Vec3d middleOf(std::span<const Vec3d> sample) {
    Vec3d offset; // sum relative to the first point, so that map coordinates lose no digits
    for (const Vec3d& point : sample)
        offset += (point - sample.front()) / double(sample.size());
    return sample.front() + offset;
}

} // namespace

std::vector<SceneMark> poseMarks(const ScanAlignment& alignment, std::span<const Vec3d> sample,
                                 LengthUnit unit) {
    std::vector<SceneMark> marks;
    if (sample.empty())
        return marks;
    const PoseEvidence& evidence = alignment.evidence;
    const Vec3d middle = middleOf(sample);
    if (alignment.verdict.reason == PoseReason::weakDirections)
        for (const WeakDirection& weak : evidence.weak)
            marks.push_back(weakMark(weak, alignment.pose(middle), unit));
    if (alignment.verdict.reason == PoseReason::rival)
        for (const PoseRival& rival : evidence.rivals)
            if (isAlternative(rival, evidence))
                marks.push_back(alternativeMark(
                    rival, middle, sample, kAlternativeColours[marks.size() % kAlternativeColours.size()],
                    alignment.pose, unit));
    return marks;
}

} // namespace scanloupe::gui
