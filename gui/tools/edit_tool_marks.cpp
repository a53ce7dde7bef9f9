// Draws the outline or the brush of the editing tools.
#include "gui/tools/edit_tool.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kCircleCorners = 48;
const QColor kMarkColour(255, 144, 30);   // as kChosenColour
const QColor kSourceColour(60, 190, 255); // the place that `clone` copies from

} // namespace

std::vector<SceneMark> EditTool::marks() const {
    std::vector<SceneMark> marks;
    if (!m_outline.empty()) {
        SceneMark outline;
        outline.lines = {m_outline};
        outline.lines.front().push_back(m_outline.front());
        outline.colour = kMarkColour;
        marks.push_back(std::move(outline));
    }
    if (isBrush() && m_brush) {
        marks.push_back(circleAt(*m_brush));
        if (m_mirror && sculptTool())
            marks.push_back(circleAt(m_mirror->mirrored(*m_brush)));
    }
    if (const auto place = clonedPlace()) {
        marks.push_back(circleAt(*place));
        marks.back().colour = kSourceColour;
    }
    return marks;
}

SceneMark EditTool::circleAt(Vec3d place) const {
    SceneMark circle;
    circle.lines.emplace_back();
    for (int i = 0; i <= kCircleCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kCircleCorners;
        circle.lines.front().push_back(place + m_brushRight * (m_radius * std::cos(angle)) +
                                       m_brushDown * (m_radius * std::sin(angle)));
    }
    circle.colour = kMarkColour;
    return circle;
}

std::optional<Vec3d> EditTool::clonedPlace() const {
    if (!needsSource() || !m_cloneSource)
        return std::nullopt;
    return m_isDrawing && m_brush ? *m_brush + m_cloneFrom : *m_cloneSource;
}

} // namespace scanloupe::gui
