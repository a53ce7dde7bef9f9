#pragma once
// What the colours of a view stand for.
#include "gui/views/view_geometry.h"

#include <QFont>
#include <QImage>
#include <QString>
#include <array>
#include <optional>

namespace scanloupe::gui {

/// A map between two values, or a list of classes.
struct ColourLegend {
    QString title; ///< what the values are, and their unit
    float low = 0, high = 1;
    std::array<std::uint32_t, 256> map{}; ///< RGBA
    ClassColours classes = {};            ///< in place of the map where there are any
    bool operator==(const ColourLegend&) const = default;
};

/// Of a picture or a geometry that shows values by the recipe's map. `ofMesh`: its distances are to points,
/// and those of points and voxels are to the mesh.
ColourLegend legendOf(const Recipe& resolved, float low, float high, bool ofMesh);

/// Of one that shows classes.
ColourLegend legendOf(const Recipe& resolved, const ClassColours& classes);

/// A bar with the highest value above and the lowest below, or a row for each of the first classes,
/// transparent around; null for no legend.
QImage legendImage(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio);

} // namespace scanloupe::gui
