// Describes the parameters in which two recipes differ.
#include "gui/text/recipe_change_text.h"

#include "engine/recipe/colour_mode.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"

#include <QCoreApplication>

namespace scanloupe::gui {

namespace {

QString changeText(const char* words) {
    return QCoreApplication::translate("scanloupe::gui::WorkHistory", words);
}

QString labelOf(const Parameter& parameter) {
    return QCoreApplication::translate("parameters", parameter.label.c_str());
}

QString valueText(const Recipe& recipe, const Parameter& parameter, LengthUnit unit) {
    const std::string value = toText(recipe, parameter);
    if (value == "auto")
        return changeText("automatic");
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::flag)
        return QCoreApplication::translate("parameters", value.c_str());
    if (parameter.key == "colour_by") {
        const ColourMode& mode = colourModeOf(value);
        return mode.isOfAnyAttribute() ? shownText(std::string(colourAttribute(value)))
                                       : QCoreApplication::translate("parameters", mode.label);
    }
    const QString shown = QString::fromStdString(value);
    return parameter.unit.empty() ? shown : shown + QLatin1Char(' ') + parameterUnit(parameter, unit);
}

} // namespace

Recipe withoutViews(Recipe recipe) {
    const Recipe defaults;
    recipe.camera.reset();
    recipe.imageWidth = defaults.imageWidth;
    recipe.imageHeight = defaults.imageHeight;
    return recipe;
}

std::vector<const Parameter*> changedParameters(const Recipe& before, const Recipe& after) {
    std::vector<const Parameter*> all;
    for (const Parameter& parameter : parameters())
        if (!parameter.isSame(before, after))
            all.push_back(&parameter);
    // an iso-value of another field is meaningless, so its change belongs to that of the field
    if (all.size() == 2 && all.front()->key == "field" && all.back()->key == "iso")
        all.pop_back();
    return all;
}

QString changeText(const Parameter& parameter, const Recipe& before, const Recipe& after, LengthUnit unit) {
    constexpr qsizetype longest = 24; // a range has six numbers
    const QString from = valueText(before, parameter, unit), to = valueText(after, parameter, unit);
    if (from.size() > longest || to.size() > longest)
        return labelOf(parameter);
    return changeText("%1: %2 → %3").arg(labelOf(parameter), from, to);
}

QString recipeChangeText(const Recipe& before, const Recipe& after, LengthUnit unit) {
    const auto all = changedParameters(before, after);
    if (all.size() > 1)
        return changeText("%1 and %2 more").arg(labelOf(*all.front())).arg(all.size() - 1);
    return changeText(*all.front(), before, after, unit);
}

} // namespace scanloupe::gui
