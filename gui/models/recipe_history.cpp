// Records recipes, and says in words how they differ.
#include "gui/models/recipe_history.h"

#include "engine/recipe/parameters.h"

#include <QCoreApplication>

namespace scanloupe::gui {

namespace {

constexpr std::chrono::milliseconds kOneStep{1000}; // between changes of a drag; a hand rests longer

/// What the views set is no choice.
Recipe withoutViews(Recipe recipe) {
    const Recipe defaults;
    recipe.camera.reset();
    recipe.imageWidth = defaults.imageWidth;
    recipe.imageHeight = defaults.imageHeight;
    return recipe;
}

QString text(const char* words) {
    return QCoreApplication::translate("scanloupe::gui::RecipeHistory", words);
}

std::vector<const Parameter*> changed(const Recipe& a, const Recipe& b) {
    std::vector<const Parameter*> all;
    for (const Parameter& parameter : parameters())
        if (!parameter.isSame(a, b))
            all.push_back(&parameter);
    // an iso-value of another field is meaningless: it goes with the field
    if (all.size() == 2 && all.front()->key == "field" && all.back()->key == "iso")
        all.pop_back();
    return all;
}

QString valueText(const Recipe& recipe, const Parameter& parameter) {
    const std::string value = toText(recipe, parameter);
    if (value == "auto")
        return text("automatic");
    const QString shown = QString::fromStdString(value);
    return parameter.unit.empty() ? shown : shown + QLatin1Char(' ') + QString::fromStdString(parameter.unit);
}

QString wordsOf(const Recipe& before, const Recipe& after, const std::vector<const Parameter*>& all) {
    constexpr qsizetype longest = 24; // a range has six numbers
    const Parameter& one = *all.front();
    const QString label = QCoreApplication::translate("parameters", one.label.c_str());
    const QString from = valueText(before, one), to = valueText(after, one);
    if (all.size() > 1)
        return text("%1 and %2 more").arg(label).arg(all.size() - 1);
    if (from.size() > longest || to.size() > longest)
        return label;
    return text("%1: %2 → %3").arg(label, from, to);
}

} // namespace

void RecipeHistory::reset(const Recipe& recipe) {
    m_steps = {{withoutViews(recipe), {}}};
    m_current = 0;
    m_lastKey.clear();
}

void RecipeHistory::restore(std::vector<Step> steps, std::size_t current) {
    m_steps = std::move(steps);
    m_current = current;
    m_lastKey.clear();
}

void RecipeHistory::record(const Recipe& recipe, Time now) {
    const Recipe after = withoutViews(recipe);
    std::vector<const Parameter*> all = changed(m_steps[m_current].recipe, after);
    if (all.empty())
        return;
    m_steps.resize(m_current + 1);
    const std::string key = all.size() == 1 ? all.front()->key : std::string();
    if (m_current > 0 && !key.empty() && key == m_lastKey && now - m_lastTime < kOneStep) {
        m_steps.pop_back(); // goes on
        --m_current;
        all = changed(m_steps[m_current].recipe, after);
    }
    m_lastKey = key;
    m_lastTime = now;
    if (all.empty()) { // a drag that has come back: the step before is not part of it
        m_lastKey.clear();
        return;
    }
    m_steps.push_back({after, wordsOf(m_steps[m_current].recipe, after, all)});
    ++m_current;
}

const Recipe& RecipeHistory::goTo(std::size_t step) {
    m_current = step;
    m_lastKey.clear();
    return m_steps[m_current].recipe;
}

} // namespace scanloupe::gui
