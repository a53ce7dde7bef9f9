// Draws measures as marks of the views.
#include "gui/models/measure_marks.h"

#include "gui/models/measure_text.h"

namespace scanloupe::gui {

namespace {

Vec3d meanOf(const std::vector<Vec3d>& points) {
    Vec3d offset; // from the first, so that map coordinates lose no digits
    for (const Vec3d& point : points)
        offset += (point - points.front()) / double(points.size());
    return points.front() + offset;
}

/// Two points, and what lies between them along and across the up axis.
void addPair(SceneMark& mark, const Measure& measure, Vec3d up) {
    const Vec3d from = mark.markers[0], to = mark.markers[1];
    const Vec3d corner = from + up * dot(to - from, up); // above or below the first, as high as the second
    const bool isHeight = measure.kind == MeasureKind::height;
    if (isHeight) {
        mark.lines = {{from, corner}};
        mark.dashedLines = {{corner, to}};
    } else {
        mark.lines = {{from, to}};
    }
    mark.textAt = meanOf({from, isHeight ? corner : to});
}

} // namespace

SceneMark markOf(const Measure& measure, Vec3d up, LengthUnit unit) {
    SceneMark mark;
    mark.colour = QColor::fromRgb(measure.colour);
    for (const MeasurePoint& point : measure.points)
        mark.markers.push_back(point.position);
    if (mark.markers.size() < fewestPoints(measure.kind)) {
        if (mark.markers.size() > 1)
            mark.lines = {mark.markers};
        return mark;
    }
    mark.text = valueText(measure, up, unit);
    switch (measure.kind) {
    case MeasureKind::point:
        mark.textAt = mark.markers.front();
        break;
    case MeasureKind::distance:
    case MeasureKind::height:
        addPair(mark, measure, up);
        break;
    case MeasureKind::angle:
        mark.lines = {mark.markers};
        mark.textAt = mark.markers[1];
        break;
    case MeasureKind::area:
        mark.area = mark.markers;
        mark.lines = {mark.markers};
        mark.lines.front().push_back(mark.markers.front());
        mark.textAt = meanOf(mark.markers);
        break;
    }
    return mark;
}

SceneMark pickMark(Vec3d position) {
    SceneMark mark;
    mark.markers = {position};
    mark.colour = QColor(255, 255, 255);
    mark.ring = true;
    return mark;
}

} // namespace scanloupe::gui
