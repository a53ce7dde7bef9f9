// Finds and replaces the models that the recipes of a project compare with.
#include "engine/project/project_models.h"

#include "engine/edit/edit_list.h"
#include "engine/recipe/recipe.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scanloupe {

namespace {

/// Calls `visit` for each recipe: of the displayed scan, of the other scans, of all scans shown together, and
/// of the states of the history.
template <class AnyProject, class Visit>
void forEachRecipe(AnyProject& project, Visit&& visit) {
    visit(project.recipe);
    for (auto& scan : project.scans)
        if (scan.recipe)
            visit(*scan.recipe);
    if (project.together)
        visit(project.together->recipe);
    for (auto& step : project.steps)
        visit(step.recipe);
}

} // namespace

std::vector<Recipe*> recipesOf(Project& project) {
    std::vector<Recipe*> recipes;
    forEachRecipe(project, [&](Recipe& recipe) { recipes.push_back(&recipe); });
    return recipes;
}

std::set<std::string> modelsOf(const Project& project) {
    std::set<std::string> models;
    forEachRecipe(project, [&](const Recipe& recipe) {
        for (const auto& layer : recipe.edits.layers)
            if (const auto* action = std::get_if<CompareAction>(&layer->action))
                models.insert(action->reference);
    });
    return models;
}

std::vector<std::filesystem::path> filesOf(const Project& project) {
    std::vector<std::filesystem::path> files = project.otherModels;
    for (const ProjectScan& scan : project.scans)
        if (!scan.sample)
            files.push_back(scan.path);
    forEachRecipe(project, [&](const Recipe& recipe) {
        std::ranges::copy(filesOf(recipe.edits.layers), std::back_inserter(files));
    });
    return files;
}

void moveModels(Project& project, const std::function<std::string(const std::string&)>& placeOf) {
    forEachRecipe(project, [&](Recipe& recipe) {
        for (std::size_t i = 0; i < recipe.edits.layers.size(); ++i) {
            const auto* action = std::get_if<CompareAction>(&recipe.edits.layers[i]->action);
            const std::string place = action ? placeOf(action->reference) : std::string();
            if (action && place != action->reference)
                recipe.edits = withChangedLayer(std::move(recipe.edits), i, [&](EditLayer& layer) {
                    std::get<CompareAction>(layer.action).reference = place;
                });
        }
    });
}

} // namespace scanloupe
