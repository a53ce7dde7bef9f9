#pragma once
// Declares the positions of a brush stroke while it is drawn.
#include "engine/edit/edits.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <vector>

namespace scanloupe::gui {

/// A stroke in progress, which is passed on in parts.
class BrushStroke {
public:
    /// Begins a new stroke without places. @param radius of the brush, in the unit of the scan
    void begin(double radius);
    void append(Vec3d place, double pressure);
    void clear();
    bool isEmpty() const { return m_places.empty(); }
    Vec3d front() const { return m_places.front(); }
    Vec3d back() const { return m_places.back(); }
    double radius() const { return m_radius; }

    /// The complete stroke. @param withPressures whether the brush heeds the pressure of a pen
    StrokeRegion whole(bool withPressures) const { return from(0, withPressures); }
    /// The part of the stroke that was not returned before.
    StrokeRegion takeAdded(bool withPressures);

private:
    StrokeRegion from(std::size_t first, bool withPressures) const;

    std::vector<Vec3d> m_places;
    std::vector<double> m_pressures; ///< pen pressure at the positions
    double m_radius = 0;
    std::size_t m_taken = 0; ///< number of positions that were returned already
};

} // namespace scanloupe::gui
