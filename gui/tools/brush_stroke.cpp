// Collects the positions of a stroke.
#include "gui/tools/brush_stroke.h"

#include <algorithm>

namespace scanloupe::gui {

void BrushStroke::begin(double radius) {
    clear();
    m_radius = radius;
}

void BrushStroke::append(Vec3d place, double pressure) {
    m_places.push_back(place);
    m_pressures.push_back(std::clamp(pressure, 0.0, 1.0));
}

void BrushStroke::clear() {
    m_places.clear();
    m_pressures.clear();
    m_taken = 0;
}

StrokeRegion BrushStroke::takeAdded(bool withPressures) {
    StrokeRegion added = from(m_taken > 0 ? m_taken - 1 : 0, withPressures); // segments meet
    added.continues = m_taken > 0;
    m_taken = m_places.size();
    return added;
}

StrokeRegion BrushStroke::from(std::size_t first, bool withPressures) const {
    StrokeRegion stroke{{m_places.begin() + std::ptrdiff_t(first), m_places.end()}, m_radius};
    if (withPressures && std::ranges::any_of(m_pressures, [](double p) { return p < 1; }))
        stroke.pressures.assign(m_pressures.begin() + std::ptrdiff_t(first), m_pressures.end());
    return stroke;
}

} // namespace scanloupe::gui
