// Writes measures as CSV.
#include "engine/io/common/text/csv_text.h"
#include "engine/measure/measure.h"

#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

std::string number(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

} // namespace

std::string toCsv(const MeasureList& measures, Vec3d up, LengthUnit unit) {
    std::string csv = fmt::format(
        "measure,name,kind,distance_{0},horizontal_{0},height_{0},angle_deg,area_{0}2,perimeter_{0},"
        "deviation_{0},colour,visible,point,x,y,z,snapped_to\n",
        rowOf(unit).inNames);
    for (std::size_t i = 0; i < measures.size(); ++i) {
        const Measure& measure = measures[i];
        const MeasureValues v = valuesOf(measure, up);
        std::string row = fmt::format("{},{},{}", i + 1, quotedForCsv(measure.name), keyOf(measure.kind));
        for (const double value :
             {v.distance, v.horizontal, v.height, v.angle, v.area, v.perimeter, v.deviation})
            row += ',' + number(value);
        row += fmt::format(",#{:06x},{}", measure.colour, measure.visible ? 1 : 0);
        for (std::size_t k = 0; k < measure.points.size(); ++k) {
            const MeasurePoint& point = measure.points[k];
            csv += fmt::format("{},{},{},{},{},{}\n", row, k + 1, point.position.x, point.position.y,
                               point.position.z, snapKeyOf(point.snap));
        }
    }
    return csv;
}

} // namespace scanloupe
