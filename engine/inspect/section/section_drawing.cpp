// Projects the lines of a section into its plane.
#include "engine/inspect/section/section_drawing.h"

#include "engine/recipe/section.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe {

SectionFrame frameOf(const Section& section, Vec3d up) {
    constexpr double level = 1e-6; // sine of the angle between the direction and the vertical, below which a
                                   // section is level
    const Vec3d across = normalized(section.direction);
    Vec3d upwards = up - across * dot(up, across);
    if (norm(upwards) < level)
        upwards = std::abs(up.y) < 0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    upwards = normalized(upwards - across * dot(upwards, across));
    return {cross(upwards, across), upwards, across};
}

SectionDrawing drawingOf(const SectionLines& lines, Vec3d origin, const Section& section, Vec3d up) {
    constexpr double most = std::numeric_limits<double>::max();
    SectionDrawing drawing;
    drawing.at = section.at;
    drawing.frame = frameOf(section, up);
    drawing.low = {most, most};
    drawing.high = {-most, -most};
    for (const Polyline& line : lines.lines) {
        SectionDrawing::Line flat{{}, line.isClosed};
        for (const Vec3f& p : line.points) {
            const Vec3d away = p.as<double>() + origin - section.at;
            flat.points.push_back({dot(drawing.frame.right, away), dot(drawing.frame.upwards, away)});
            for (std::size_t axis = 0; axis < 2; ++axis) {
                drawing.low[axis] = std::min(drawing.low[axis], flat.points.back()[axis]);
                drawing.high[axis] = std::max(drawing.high[axis], flat.points.back()[axis]);
            }
        }
        drawing.lines.push_back(std::move(flat));
    }
    if (drawing.lines.empty())
        drawing.low = drawing.high = {};
    return drawing;
}

} // namespace scanloupe
