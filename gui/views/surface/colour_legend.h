#pragma once
// Declares the legend of a view's colours.
#include "gui/views/geometry/view_geometry.h"

#include <QFont>
#include <QImage>
#include <QString>
#include <array>
#include <optional>

namespace scanloupe {
enum class LengthUnit : std::uint8_t;
struct Recipe;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::gui {

/// A colour map between two limits, or a list of classes.
struct ColourLegend {
    QString title; ///< quantity and unit of the values
    float low = 0, high = 1;
    std::array<std::uint32_t, 256> map{}; ///< RGBA
    ClassColours classes = {};            ///< used in place of the map if there are any
    bool operator==(const ColourLegend&) const = default;
};

/// Legend of values that the recipe's colour map shows. `ofMesh`: distances are those of the mesh to the
/// points; otherwise those of points and voxels to the mesh.
ColourLegend legendOf(const Recipe& resolved, float low, float high, bool ofMesh, LengthUnit unit);

/// Legend of classes.
ColourLegend legendOf(const Recipe& resolved, const ClassColours& classes);

/// Legend of the picture of a run; none if its colours do not show values.
std::optional<ColourLegend> legendOf(const Snapshot& snapshot, LengthUnit unit);

/// Image of a legend: a bar with the highest value at the top, or a row for each of the first classes, on a
/// transparent background. Null without a legend.
QImage legendImage(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio);

} // namespace scanloupe::gui
