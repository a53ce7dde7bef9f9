// Records states of the work on a scan, and describes how they differ.
#include "gui/work/work_history.h"

#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"
#include "gui/text/edits_change_text.h"
#include "gui/text/measure_text.h"
#include "gui/text/recipe_change_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr std::chrono::milliseconds kOneStep{1000}; // maximum pause within a drag, which is one step

QString text(const char* words) {
    return QCoreApplication::translate("scanloupe::gui::WorkHistory", words);
}

WorkState withoutViews(WorkState state) {
    state.recipe = gui::withoutViews(std::move(state.recipe));
    return state;
}

/// A description of the change of the scans that are shown together.
QString scansText(const WorkState& before, const WorkState& after) {
    if (before.visible == after.visible)
        return after.isAligned ? text("Scans aligned") : text("Scans at their file positions");
    const auto count = [](const WorkState& of) { return std::ranges::count(of.visible, true); };
    return text("Scans shown: %1 → %2").arg(count(before)).arg(count(after));
}

/// "Unit: as in the file → inch".
QString referenceText(const ChosenReference& before, const ChosenReference& after) {
    const auto unitOf = [](const ChosenReference& of) {
        return of.unit ? unitName(*of.unit) : text("as in the file");
    };
    if (before.unit != after.unit)
        return text("Unit: %1 → %2").arg(unitOf(before), unitOf(after));
    return text("Coordinate system");
}

} // namespace

void WorkHistory::reset(const WorkState& state) {
    m_steps = {{withoutViews(state), {}}};
    m_current = 0;
    m_lastKey.clear();
}

void WorkHistory::restore(std::vector<Step> steps, std::size_t current) {
    m_steps = std::move(steps);
    m_current = current;
    m_lastKey.clear();
}

void WorkHistory::record(const WorkState& state, Time now) {
    const WorkState after = withoutViews(state);
    std::vector<const Parameter*> all = changedParameters(this->state().recipe, after.recipe);
    const bool measured = this->state().measures != after.measures;
    const bool shown = this->state().visible != after.visible || this->state().isAligned != after.isAligned;
    const bool referred = this->state().reference != after.reference;
    const bool edited = this->state().recipe->edits != after.recipe->edits;
    const bool isOther = measured || shown || referred || edited; // changes other than of parameters
    if (all.empty() && !isOther)
        return;
    m_steps.resize(m_current + 1);
    const std::string key = all.size() == 1 && !isOther ? all.front()->key : std::string();
    if (m_current > 0 && !key.empty() && key == m_lastKey && now - m_lastTime < kOneStep) {
        m_steps.pop_back(); // goes on
        --m_current;
        all = changedParameters(this->state().recipe, after.recipe);
    }
    m_lastKey = key;
    m_lastTime = now;
    if (all.empty() && !isOther) { // a drag that returned to its start: the step before it stays unchanged
        m_lastKey.clear();
        return;
    }
    QStringList words;
    // the new attribute of an edit is shown, too
    const bool isShownToo = edited && all.size() == 1 && all.front()->key == "colour_by";
    if (!all.empty() && !isShownToo)
        words << recipeChangeText(this->state().recipe, after.recipe, m_unit);
    if (edited)
        words << editsChangeText(this->state().recipe->edits, after.recipe->edits);
    if (measured)
        words << measureChangeText(this->state().measures, after.measures, m_up, m_unit);
    if (shown)
        words << scansText(this->state(), after);
    if (referred)
        words << referenceText(this->state().reference, after.reference);
    m_steps.push_back({after, words.join(QStringLiteral(", "))});
    ++m_current;
}

const WorkState& WorkHistory::goTo(std::size_t step) {
    m_current = step;
    m_lastKey.clear();
    return state();
}

} // namespace scanloupe::gui
