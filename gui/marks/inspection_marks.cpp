// Draws inspections as marks of the views.
#include "gui/marks/inspection_marks.h"

#include "kernels/raster/colours/colour_map.h"

#include <array>

namespace scanloupe::gui {

namespace {

QColor colourOf(std::uint32_t rgba) {
    return QColor(int(rgba & 255), int(rgba >> 8 & 255), int(rgba >> 16 & 255));
}

} // namespace

std::vector<SceneMark> deviationLineMarks(const Inspection& inspection, double times) {
    const auto map = toleranceMap();
    std::array<SceneMark, 3> bands; // below, within, above
    bands[0].colour = colourOf(map.front());
    bands[1].colour = colourOf(map[map.size() / 2]);
    bands[2].colour = colourOf(map.back());
    for (const PlaceDeviation& one : inspection.deviationLines) {
        const double tolerance = inspection.tolerance;
        SceneMark& band = bands[one.value < -tolerance ? 0 : one.value > tolerance ? 2 : 1];
        band.lines.push_back({one.at, one.at + one.offset * times});
    }
    std::vector<SceneMark> marks;
    for (SceneMark& band : bands)
        if (!band.lines.empty()) {
            band.faint = true; // thin lines, since many of them must not hide the scan
            marks.push_back(std::move(band));
        }
    return marks;
}

std::vector<SceneMark> referenceSectionMarks(const Inspection& inspection) {
    if (inspection.sectionLines.empty())
        return {};
    SceneMark mark;
    mark.colour = QColor(255, 140, 0);
    mark.lines = inspection.sectionLines;
    return {mark};
}

} // namespace scanloupe::gui
