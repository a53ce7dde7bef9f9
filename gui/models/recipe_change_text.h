#pragma once
// Declares the differences of recipes in words.
#include "engine/recipe/parameters.h"
#include "engine/reference/length_unit.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace scanloupe::gui {

/// Without camera and size of the picture, which follow the views and are no choice of people.
Recipe withoutViews(Recipe recipe);
/// The parameters that differ. An iso-value that goes with a change of the field alone is left out.
std::vector<const Parameter*> changedParameters(const Recipe& before, const Recipe& after);
/// "Voxel size: 0.1 m → 0.2 m"; the label alone where the values are long.
/// @param unit of the scan's coordinates
QString changeText(const Parameter& parameter, const Recipe& before, const Recipe& after, LengthUnit unit);
/// All of them as one phrase: "Voxel size: 0.1 m → 0.2 m", or "Voxel size and 2 more". There must be one.
QString recipeChangeText(const Recipe& before, const Recipe& after, LengthUnit unit);

} // namespace scanloupe::gui
