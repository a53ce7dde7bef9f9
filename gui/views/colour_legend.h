#pragma once
// What the colours of a view stand for.
#include "gui/views/view_geometry.h"

#include <QFont>
#include <QImage>
#include <QString>
#include <array>
#include <optional>

namespace scanloupe::gui {

/// A map between two values.
struct ColourLegend {
    QString title; ///< what the values are, and their unit
    float low = 0, high = 1;
    std::array<std::uint32_t, 256> map{}; ///< RGBA
    bool operator==(const ColourLegend&) const = default;
};

/// Of a picture or a geometry that shows values by the recipe's map. `ofMesh`: its distances are to points,
/// and those of points and voxels are to the mesh.
ColourLegend legendOf(const Recipe& resolved, float low, float high, bool ofMesh);

/// A bar with the highest value above and the lowest below, transparent around; null for no legend.
QImage legendImage(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio);

} // namespace scanloupe::gui
