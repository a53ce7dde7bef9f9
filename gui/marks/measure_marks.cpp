// Draws measures as marks of the views.
#include "gui/marks/measure_marks.h"

#include "engine/inspect/measure/measure_kind.h"
#include "gui/text/measure_text.h"

#include <utility>

namespace scanloupe::gui {

SceneMark markOf(const Measure& measure, Vec3d up, LengthUnit unit) {
    SceneMark mark;
    mark.colour = QColor::fromRgb(measure.colour);
    for (const MeasurePoint& point : measure.points)
        mark.markers.push_back(point.position);
    if (mark.markers.size() < rowOf(measure.kind).minPoints) {
        if (mark.markers.size() > 1)
            mark.lines = {mark.markers};
        return mark;
    }
    MeasureDrawing drawing = drawingOf(measure, up);
    mark.lines = std::move(drawing.lines);
    mark.dashedLines = std::move(drawing.dashedLines);
    mark.area = std::move(drawing.area);
    mark.textAt = drawing.textAt;
    mark.text = valueText(measure, up, unit);
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
