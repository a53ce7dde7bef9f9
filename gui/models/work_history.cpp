// Records states of the work on a scan, and says in words how they differ.
#include "gui/models/work_history.h"

#include "engine/recipe/parameters.h"
#include "gui/models/measure_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr std::chrono::milliseconds kOneStep{1000}; // between changes of a drag; a hand rests longer

/// What the views set is no choice.
WorkState withoutViews(WorkState state) {
    const Recipe defaults;
    state.recipe.camera.reset();
    state.recipe.imageWidth = defaults.imageWidth;
    state.recipe.imageHeight = defaults.imageHeight;
    return state;
}

QString text(const char* words) {
    return QCoreApplication::translate("scanloupe::gui::WorkHistory", words);
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

QString parameterWords(const Recipe& before, const Recipe& after, const std::vector<const Parameter*>& all) {
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

/// What has changed in which scans are shown together, and how.
QString scansText(const WorkState& before, const WorkState& after) {
    if (before.visible == after.visible)
        return after.isAligned ? text("Scans aligned") : text("Scans as in their files");
    const auto count = [](const WorkState& of) { return std::ranges::count(of.visible, true); };
    return text("Scans shown: %1 → %2").arg(count(before)).arg(count(after));
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
    std::vector<const Parameter*> all = changed(this->state().recipe, after.recipe);
    const bool measured = this->state().measures != after.measures;
    const bool shown = this->state().visible != after.visible || this->state().isAligned != after.isAligned;
    if (all.empty() && !measured && !shown)
        return;
    m_steps.resize(m_current + 1);
    const std::string key = all.size() == 1 && !measured && !shown ? all.front()->key : std::string();
    if (m_current > 0 && !key.empty() && key == m_lastKey && now - m_lastTime < kOneStep) {
        m_steps.pop_back(); // goes on
        --m_current;
        all = changed(this->state().recipe, after.recipe);
    }
    m_lastKey = key;
    m_lastTime = now;
    if (all.empty() && !measured && !shown) { // a drag that has come back: the step before is not part of it
        m_lastKey.clear();
        return;
    }
    QStringList words;
    if (!all.empty())
        words << parameterWords(this->state().recipe, after.recipe, all);
    if (measured)
        words << measureChangeText(this->state().measures, after.measures, m_up);
    if (shown)
        words << scansText(this->state(), after);
    m_steps.push_back({after, words.join(QStringLiteral(", "))});
    ++m_current;
}

const WorkState& WorkHistory::goTo(std::size_t step) {
    m_current = step;
    m_lastKey.clear();
    return state();
}

} // namespace scanloupe::gui
