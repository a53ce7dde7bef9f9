// Changes the work in a window, and emits signals for the changes.
#include "gui/work/work.h"

#include "engine/cloud/point_cloud.h"
#include "engine/picture/view.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/playlist.h"

#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {

/// Whether results differ at most in camera and picture size.
bool areOfOneContent(const Snapshot& a, const Snapshot& b) {
    Recipe recipe = a.recipe;
    recipe.camera = b.recipe->camera;
    recipe.imageWidth = b.recipe->imageWidth;
    recipe.imageHeight = b.recipe->imageHeight;
    return a.input == b.input && a.volume == b.volume && a.preview == b.preview && recipe == b.recipe;
}

} // namespace

Work::Work(Playlist& playlist) : m_playlist(playlist) {
    connect(&playlist, &Playlist::togetherChanged, this, &Work::recordTogether);
    connect(&playlist, &Playlist::moved, this, &Work::changeCloud);
    connect(&playlist, &Playlist::replaced, this, [this] {
        m_clouds.clear();
        m_shownCloud = place();
    });
}

bool Work::hasCloud() const {
    return m_results && m_results->cloud;
}

Vec3d Work::up() const {
    return upVector(m_results ? m_results->resolved->up.value_or(UpAxis::z) : UpAxis::z);
}

template <class Change>
void Work::record(const Change& change) {
    WorkState state = m_history.state();
    change(state);
    m_history.record(state);
}

void Work::changeRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    record([&](WorkState& state) { state.recipe = recipe; });
    emit recipeChanged(m_recipe);
    emit historyChanged();
    emit resultsWanted(m_recipe);
}

void Work::editRecipe(const std::function<void(Recipe&)>& change) {
    Recipe recipe = m_recipe;
    change(recipe);
    changeRecipe(recipe);
}

void Work::showRecipe(const Recipe& recipe) {
    m_recipe = recipe;
    emit recipeChanged(m_recipe);
    emit resultsWanted(m_recipe);
}

void Work::changeMeasures(const MeasureList& measures) {
    record([&](WorkState& state) { state.measures = measures; });
    emit measuresEdited();
    emit historyChanged();
    emit measuresChanged();
}

void Work::changeReference(const ChosenReference& chosen) {
    record([&](WorkState& state) { state.reference = chosen; });
    emit historyChanged();
    followReference();
}

void Work::recordTogether() {
    if (m_playlist.kind() != Playlist::Kind::place)
        return;
    record([&](WorkState& state) {
        state.visible = m_playlist.visible();
        state.isAligned = m_playlist.showsAligned();
    });
    emit historyChanged();
}

void Work::goTo(std::size_t step) {
    if (step >= m_history.steps().size())
        return;
    const WorkState before = m_history.state();
    const WorkState state = m_history.goTo(step);
    m_recipe = state.recipe;
    if (state.measures != before.measures)
        emit measuresEdited();
    emit historyChanged();
    followReference();
    if (state.measures != before.measures)
        emit measuresChanged();
    if (!state.visible.empty())
        m_playlist.setTogether(state.visible, state.isAligned);
    if (state.recipe == before.recipe)
        return;
    emit recipeChanged(m_recipe);
    emit resultsWanted(m_recipe);
}

void Work::open(const Recipe& recipe, bool isReplaced) {
    m_replaced += isReplaced ? 1 : 0;
    m_left = {measures(), m_history.state().reference};
    m_recipe = recipe;
    m_history.reset({recipe});
    emit scanOpened(recipe);
    emit recipeChanged(recipe);
    emit historyChanged();
    emit measuresChanged();
}

void Work::begin(const WorkState& state) {
    m_history.reset(state);
    emit historyChanged();
    followReference();
    emit measuresChanged();
}

void Work::restore(std::vector<WorkHistory::Step> steps, std::size_t current) {
    m_history.restore(std::move(steps), current);
    emit historyChanged();
    followReference();
    emit measuresChanged();
}

void Work::setResults(const SnapshotPtr& results) {
    const SnapshotPtr before = std::exchange(m_results, results);
    followReference();
    m_history.setFrame(up(), unit());
    if (!before || !areOfOneContent(*before, *results))
        emit contentChanged(results, before);
    emit resultsChanged(results);
}

void Work::refineResults(const SnapshotPtr& results) {
    m_results = results;
    emit resultsRefined(results);
}

void Work::followReference() {
    const ChosenReference& chosen = m_history.state().reference;
    const std::shared_ptr<const PointCloud> cloud = m_results ? m_results->cloud : nullptr;
    if (cloud == m_cloud && chosen == m_chosen)
        return; // unchanged: results arrive many times a second, and comparing long texts takes time
    const CoordinateReference before = std::exchange(m_reference, referenceOf(cloud.get(), chosen));
    m_cloud = cloud;
    m_chosen = chosen;
    m_history.setFrame(up(), unit());
    emit referenceChanged(before);
    if (m_reference.unit != before.unit)
        emit unitChanged(m_reference.unit);
}

int Work::place() const {
    const int shown = m_playlist.shown();
    return m_playlist.kind() == Playlist::Kind::sequence ? std::min(shown, 0) : shown;
}

void Work::changeCloud() {
    if (m_playlist.size() == 0 || place() == m_shownCloud)
        return;
    m_clouds[m_shownCloud] = std::exchange(m_left, {});
    m_shownCloud = place();
    addOfCloud();
}

void Work::addOfCloud() {
    auto [measures, reference] = m_clouds[place()];
    if (measures.empty() && reference == ChosenReference())
        return;
    // keeps the measures that were made while the scan was still being loaded
    measures.insert(measures.end(), this->measures().begin(), this->measures().end());
    WorkState state = m_history.state();
    state.measures = measures;
    state.reference = reference;
    begin(state);
}

void Work::takeClouds(const Project& project) {
    if (int(project.scans.size()) != m_playlist.size())
        return;
    for (int i = 0; i < m_playlist.size(); ++i) {
        const ProjectScan& scan = project.scans[std::size_t(i)];
        if (scan.path != m_playlist.path(i))
            return m_clouds.clear(); // another scan was opened meanwhile
        m_clouds[i] = {scan.measures, scan.reference};
    }
    if (project.together)
        m_clouds[Project::kTogether] = {project.together->measures, project.together->reference};
    const int shown = project.kind == ProjectKind::sequence ? std::min(project.shown, 0) : project.shown;
    m_clouds[shown] = {project.measures, project.reference};
}

void Work::describe(Project& project) const {
    for (const auto& [index, work] : m_clouds) {
        if (index == place())
            continue;
        if (index == Project::kTogether && project.together) {
            project.together->measures = work.measures;
            project.together->reference = work.reference;
        } else if (index >= 0 && index < int(project.scans.size())) {
            project.scans[std::size_t(index)].measures = work.measures;
            project.scans[std::size_t(index)].reference = work.reference;
        }
    }
    project.measures = measures();
    project.reference = m_history.state().reference;
}

} // namespace scanloupe::gui
