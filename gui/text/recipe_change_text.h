#pragma once
// Declares the differences of recipes in words.
#include "engine/cloud/reference/length_unit.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace scanloupe {
struct Parameter;
struct Recipe;
} // namespace scanloupe

namespace scanloupe::gui {

/// The recipe without camera and picture size, which follow the views and are not set by the user.
Recipe withoutViews(Recipe recipe);
/// The parameters that differ. An iso-value that changes only because the field does is left out.
std::vector<const Parameter*> changedParameters(const Recipe& before, const Recipe& after);
/// "Voxel size: 0.1 m → 0.2 m"; for long values the label only. @param unit of the scan's coordinates
QString changeText(const Parameter& parameter, const Recipe& before, const Recipe& after, LengthUnit unit);
/// All changes as one phrase: "Voxel size: 0.1 m → 0.2 m", or "Voxel size and 2 more". There must be one.
QString recipeChangeText(const Recipe& before, const Recipe& after, LengthUnit unit);

} // namespace scanloupe::gui
