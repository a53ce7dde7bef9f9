// Writes measures as CSV.
#include "engine/inspect/measure/measure_kind.h"
#include "engine/io/common/text/csv_text.h"

#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

std::string number(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

/// Returns the name of a column, such as "distance_ft", "area_ft2" or "angle_deg".
std::string columnOf(const MeasureFigure& figure, LengthUnit unit) {
    switch (figure.dimension) {
    case MeasureFigure::Dimension::length:
        return fmt::format("{}_{}", figure.key, rowOf(unit).inNames);
    case MeasureFigure::Dimension::area:
        return fmt::format("{}_{}2", figure.key, rowOf(unit).inNames);
    case MeasureFigure::Dimension::angle:
        break;
    }
    return fmt::format("{}_deg", figure.key);
}

} // namespace

std::string toCsv(const MeasureList& measures, Vec3d up, LengthUnit unit) {
    std::string csv = "measure,name,kind";
    for (const MeasureFigure& figure : measureFigures())
        csv += ',' + columnOf(figure, unit);
    csv += ",colour,visible,point,x,y,z,snapped_to\n";
    for (std::size_t i = 0; i < measures.size(); ++i) {
        const Measure& measure = measures[i];
        const MeasureValues v = valuesOf(measure, up);
        std::string row = fmt::format("{},{},{}", i + 1, quotedForCsv(measure.name), rowOf(measure.kind).key);
        for (const MeasureFigure& figure : measureFigures())
            row += ',' + number(v.*figure.value);
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
