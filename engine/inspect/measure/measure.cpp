// Evaluates measures with the table of their kinds.
#include "engine/inspect/measure/measure_kind.h"

namespace scanloupe {

namespace {

/// Returns the points relative to the first point, so that map coordinates keep their precision.
std::vector<Vec3d> localPoints(const Measure& measure) {
    std::vector<Vec3d> points;
    for (const MeasurePoint& point : measure.points)
        points.push_back(point.position - measure.points.front().position);
    return points;
}

} // namespace

MeasureValues valuesOf(const Measure& measure, Vec3d up) {
    MeasureValues values;
    const MeasureKindRow& row = rowOf(measure.kind);
    if (measure.points.size() >= row.minPoints)
        row.evaluate(values, localPoints(measure), up);
    return values;
}

MeasureDrawing drawingOf(const Measure& measure, Vec3d up) {
    MeasureDrawing drawing = rowOf(measure.kind).draw(localPoints(measure), up);
    const Vec3d origin = measure.points.front().position;
    for (auto* lines : {&drawing.lines, &drawing.dashedLines})
        for (std::vector<Vec3d>& line : *lines)
            for (Vec3d& point : line)
                point += origin;
    for (Vec3d& corner : drawing.area)
        corner += origin;
    drawing.textAt += origin;
    return drawing;
}

std::string_view snapKeyOf(MeasureSnap snap) {
    constexpr std::string_view keys[] = {"scan point", "surface", "section line"};
    return keys[std::size_t(snap)];
}

} // namespace scanloupe
